//! The law `load` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sixproof_laws::load::law(bytes));
