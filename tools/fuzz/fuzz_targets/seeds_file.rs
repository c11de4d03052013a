#![no_main]

#[path = "../checks/seeds_file.rs"]
mod seeds_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| seeds_file::check(bytes));
