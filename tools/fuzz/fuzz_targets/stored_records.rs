#![no_main]

#[path = "../checks/stored_records.rs"]
mod stored_records;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| stored_records::check(bytes));
