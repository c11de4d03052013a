#![no_main]
//! A case file that is accepted is written as it is read, and plays.

use libfuzzer_sys::fuzz_target;
use tester::problem::parse_case;

fuzz_target!(|text: &str| {
    if let Ok(instance) = parse_case(text) {
        let written = instance.to_text();
        let again = parse_case(&written).expect("what was written can be read");
        assert_eq!(again.to_text(), written);
        assert!(written.starts_with(&instance.opening()));
        let _ = instance.start().turn(text.as_bytes());
    }
});
