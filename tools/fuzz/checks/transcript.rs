//! A transcript that can be read can be played again on any case.

use tester::judge::replay::replay;
use tester::judge::transcript::read;
use tester::problem::parse_case;

pub fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else {
        return;
    };
    if let Ok(entries) = read(text) {
        assert_eq!(entries.len(), text.split_terminator('\n').count());
        let instance = parse_case("hitblow 3 10\n8 2 5\n").expect("a case");
        if let Ok(replay) = replay(instance.as_ref(), 1000, &entries) {
            assert!(replay.turns <= entries.len() as u64);
        }
    }
}
