//! A case file that is accepted is written as it is read, and plays.

use tester::problem::parse_case;

pub fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    if let Ok(instance) = parse_case(text) {
        let written = instance.to_text();
        let again = parse_case(&written).expect("what was written can be read");
        assert_eq!(again.to_text(), written);
        assert!(written.starts_with(&instance.opening()));
        let _ = instance.start().turn(text.as_bytes());
    }
}
