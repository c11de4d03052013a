//! A slow and obvious game, written from the statement: every line is read from its words, every value is counted
//! from the fields, every question adds up its cells.

use std::collections::BTreeSet;

use ahc030::case::Case;
use ahc030::generate::{FixedParameters, generate};
use ahc030::rules::{Game, State};
use proptest::prelude::*;

struct Twin<'a> {
    case: &'a Case,
    costs: Vec<f64>,
    solved: bool,
}

impl Twin<'_> {
    fn value(&self, (i, j): (usize, usize)) -> usize {
        let covers = |field: &&ahc030::layout::Field| {
            field.shape.iter().any(|cell| {
                (
                    cell.row + field.offset.row,
                    cell.column + field.offset.column,
                ) == (i as u8, j as u8)
            })
        };
        self.case.layout.fields().iter().filter(covers).count()
    }

    fn oil(&self) -> BTreeSet<(usize, usize)> {
        let n = usize::from(self.case.layout.n());
        let all = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
        all.filter(|&cell| self.value(cell) > 0).collect()
    }

    /// The cells of a line, or `None` if it breaks a rule.
    fn cells(&self, line: &str) -> Option<(bool, BTreeSet<(usize, usize)>)> {
        let n = usize::from(self.case.layout.n());
        let words: Vec<&str> = line.split_whitespace().collect();
        let is_answer = match *words.first()? {
            "q" => false,
            "a" => true,
            _ => return None,
        };
        let numbers = words[1..].iter().map(|word| word.parse::<usize>().ok());
        let numbers: Vec<usize> = numbers.collect::<Option<_>>()?;
        let k = *numbers.first()?;
        if k == 0 || numbers.len() != 1 + 2 * k {
            return None;
        }
        let cells: BTreeSet<_> = numbers[1..].chunks(2).map(|p| (p[0], p[1])).collect();
        let inside = cells.iter().all(|&(i, j)| i < n && j < n);
        (inside && cells.len() == k).then_some((is_answer, cells))
    }

    fn turn(&mut self, line: &str) -> Option<i64> {
        let n = usize::from(self.case.layout.n());
        if self.solved || self.costs.len() == 2 * n * n {
            return None;
        }
        let (is_answer, cells) = self.cells(line)?;
        let sum: usize = cells.iter().map(|&cell| self.value(cell)).sum();
        let (k, s, eps) = (cells.len() as f64, sum as f64, self.case.eps.value());
        let z = self.case.noise[self.costs.len()];
        let (reply, cost) = if is_answer {
            self.solved = cells == self.oil();
            (i64::from(self.solved), if self.solved { 0.0 } else { 1.0 })
        } else if cells.len() == 1 {
            (sum as i64, 1.0)
        } else {
            let mean = (k - s) * eps + s * (1.0 - eps);
            let reply = (mean + (k * eps * (1.0 - eps)).sqrt() * z).round();
            (if reply < 0.0 { 0 } else { reply as i64 }, 1.0 / k.sqrt())
        };
        self.costs.push(cost);
        Some(reply)
    }

    fn score(&self) -> u64 {
        let cost = match self.solved {
            true => self.costs.iter().sum(),
            false => 1000.0,
        };
        let least = 1.0 / f64::from(self.case.layout.n());
        (if cost < least { least } else { cost } * 1e6).round() as u64
    }
}

/// What a contestant may print: mostly operations, some of them wrong in one way or another.
fn lines() -> impl Strategy<Value = Vec<String>> {
    let cell = (0_u8..11, 0_u8..11);
    let operation = (
        prop_oneof![9 => Just("q"), 2 => Just("a"), 1 => Just("b")],
        prop::collection::vec(cell, 0..12),
        prop_oneof![20 => Just(0_i8), 1 => Just(1), 1 => Just(-1)],
    );
    let line = operation.prop_map(|(kind, mut cells, wrong_by)| {
        // Most cells are different and inside, so that most lines are accepted.
        if cells.len() % 5 != 4 {
            cells.sort();
            cells.dedup();
            cells.retain(|&(i, j)| i < 10 && j < 10);
        }
        let k = (cells.len() as i64 + i64::from(wrong_by)).max(0);
        let words: String = cells.iter().map(|(i, j)| format!(" {i} {j}")).collect();
        format!("{kind} {k}{words}")
    });
    prop::collection::vec(line, 0..40)
}

proptest! {
    #[test]
    fn game_is_its_slow_twin((seed, lines, ends) in (0_u64..1000, lines(), any::<bool>())) {
        let fixed = FixedParameters::new(Some(10), None, None).unwrap();
        let case = generate(seed, fixed);
        let mut twin = Twin { case: &case, costs: Vec::new(), solved: false };
        let mut game = Game::new(case.clone().into());
        let oil: String = twin.oil().iter().map(|(i, j)| format!(" {i} {j}")).collect();
        let answer = ends.then(|| format!("a {}{oil}", twin.oil().len()));
        for line in lines.iter().chain(&answer).chain(&lines) {
            let before = (game.state(), game.operations(), game.cost(), game.score());
            let reply = game.play(line.as_bytes());
            prop_assert_eq!(reply.clone().ok().map(i64::from), twin.turn(line), "{}", line);
            if reply.is_err() {
                prop_assert_eq!(before, (game.state(), game.operations(), game.cost(), game.score()));
            }
            prop_assert_eq!(game.operations(), twin.costs.len());
            prop_assert_eq!(game.cost(), twin.costs.iter().sum::<f64>());
            prop_assert_eq!(game.score(), twin.score());
            prop_assert_eq!(game.state() == State::Solved, twin.solved);
        }
    }

    #[test]
    fn random_bytes_never_panic_a_game(
        lines in prop::collection::vec(prop_oneof![
            prop::collection::vec(any::<u8>(), 0..60),
            "[qa] [0-9+ .eN-]{0,30}".prop_map(String::into_bytes),
            "[qa\u{3000} 0-9\u{85}]{0,30}".prop_map(String::into_bytes),
        ], 0..30),
    ) {
        let case = generate(7, FixedParameters::default());
        let mut twin = Twin { case: &case, costs: Vec::new(), solved: false };
        let mut game = Game::new(case.clone().into());
        for line in lines {
            let expected = std::str::from_utf8(&line).ok().and_then(|line| twin.turn(line));
            prop_assert_eq!(game.play(&line).ok().map(i64::from), expected);
        }
    }
}

/// `-0` is no number for the official tester, `+3` and `007` are.
#[test]
fn numbers_are_read_as_the_official_tester_reads_them() {
    let case = generate(7, FixedParameters::default());
    for (line, accepted) in [
        ("q 1 +3 007", true),
        ("q\u{3000}1\u{85}3\u{b}7", true),
        ("q +1 3 7", true),
        ("q 1 -0 7", false),
        ("q 1 3 7.0", false),
        ("q 1 3 ７", false),
        ("q 1 3 0x7", false),
        ("Q 1 3 7", false),
        ("q1 3 7", false),
    ] {
        let mut twin = Twin {
            case: &case,
            costs: Vec::new(),
            solved: false,
        };
        let mut game = Game::new(case.clone().into());
        assert_eq!(twin.turn(line).is_some(), accepted, "{line}");
        assert_eq!(game.play(line.as_bytes()).is_ok(), accepted, "{line}");
    }
}
