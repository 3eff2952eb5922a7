//! The law `farm_journal` under libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sixproof_laws::farm::journal_law(bytes));
