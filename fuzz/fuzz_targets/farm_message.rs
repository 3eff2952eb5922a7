//! The law `farm_message` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sixproof_laws::farm::message_law(bytes));
