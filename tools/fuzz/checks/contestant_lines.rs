//! No line of a contestant's panics a session; a turn is counted once and answered on one line.

use tester::case::Seed;
use tester::judge::referee::{Referee, Ruling, Stage};
use tester::problem::BUILT_IN;

pub fn check(bytes: &[u8]) {
    let Some((&which, lines)) = bytes.split_first() else {
        return;
    };
    let games: Vec<_> = BUILT_IN
        .iter()
        .flat_map(|problem| {
            problem
                .samples()
                .iter()
                .map(move |params| (*problem, *params))
        })
        .collect();
    let (problem, params) = games[usize::from(which) % games.len()];
    let params: Vec<&str> = params.split(' ').collect();
    let instance = problem
        .generate(&params, Seed(u64::from(which)))
        .expect("a sample");
    let mut referee = Referee::new(instance.as_ref(), 10);
    for line in lines.split(|&byte| byte == b'\n') {
        let before = (referee.turns(), referee.stage());
        match referee.hear(line) {
            Ruling::Reply(reply) => assert!(!reply.contains('\n')),
            Ruling::Unanswered => assert!(before.1 == Stage::Playing),
            Ruling::Incomplete | Ruling::Ignored | Ruling::Ended => {
                assert_eq!(referee.turns(), before.0);
            }
        }
        assert!(referee.turns() <= 10 && referee.turns() <= before.0 + 1);
        assert!(before.1 != Stage::Violated || referee.stage() == Stage::Violated);
    }
}
