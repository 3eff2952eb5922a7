//! The law `document` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sixproof_laws::document::law(bytes));
