#![no_main]

#[path = "../checks/contestant_lines.rs"]
mod contestant_lines;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| contestant_lines::check(bytes));
