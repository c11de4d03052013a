#![no_main]

#[path = "../checks/configuration.rs"]
mod configuration;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| configuration::check(bytes));
