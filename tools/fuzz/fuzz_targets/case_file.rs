#![no_main]

#[path = "../checks/case_file.rs"]
mod case_file;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| case_file::check(bytes));
