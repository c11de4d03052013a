//! A slow and obvious game, written from the statement: it hears line after line and keeps them all, walks step by
//! step, and adds everything up at the end.

use ahc022::case::Case;
use ahc022::generate::{FixedParameters, generate};
use ahc022::rules::Game;
use proptest::prelude::*;
use tester::problem::{Question, Session};

struct Twin<'a> {
    case: &'a Case,
    /// All lines that were accepted.
    lines: Vec<String>,
}

/// What follows from a line.
#[derive(Clone, Debug, PartialEq)]
enum Heard {
    Nothing,
    Reply(i64),
    Refused,
}

/// The first `count` words of a line that was accepted.
fn numbers(line: &str, count: usize) -> Vec<i64> {
    let words = line.split_whitespace().take(count);
    words.map(|word| word.parse().unwrap()).collect()
}

impl Twin<'_> {
    fn l(&self) -> usize {
        usize::from(self.case.l)
    }

    fn n(&self) -> usize {
        usize::from(self.case.n())
    }

    fn rows(&self) -> Vec<Vec<i64>> {
        let rows = self.lines.iter().take(self.l());
        rows.map(|line| numbers(line, self.l())).collect()
    }

    /// The line `-1 -1 -1`, among all lines.
    fn end(&self) -> Option<usize> {
        let is_end = |line: &String| line.split_whitespace().take(3).eq(["-1", "-1", "-1"]);
        let after_grid = self.lines.iter().skip(self.l());
        after_grid.clone().position(is_end).map(|at| self.l() + at)
    }

    /// `i y x` of all measurements so far.
    fn measurements(&self) -> Vec<[i64; 3]> {
        let end = self.end().unwrap_or(self.lines.len());
        let lines = self.lines[..end].iter().skip(self.l());
        let numbers = |line: &String| numbers(line, 3).try_into().unwrap();
        lines.map(numbers).collect()
    }

    fn answer(&self) -> Vec<usize> {
        let lines = self.end().map_or(&[][..], |end| &self.lines[end + 1..]);
        lines
            .iter()
            .map(|line| line.trim().parse().unwrap())
            .collect()
    }

    fn hear(&mut self, line: &str) -> Heard {
        if self.answer().len() == self.n() || !self.accepts(line) {
            return Heard::Refused;
        }
        let before = self.measurements().len();
        self.lines.push(line.to_owned());
        match self.measurements().get(before) {
            Some(&measurement) => Heard::Reply(self.measure(measurement, before)),
            None => Heard::Nothing,
        }
    }

    fn accepts(&self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        if self.lines.len() < self.l() {
            let fits = |w: &&str| w.parse::<usize>().is_ok_and(|value| value <= 1000);
            return words.len() == self.l() && words.iter().all(fits);
        }
        if self.end().is_some() {
            let exit = line.trim().parse::<usize>();
            return exit.is_ok_and(|exit| exit < self.n());
        }
        let numbers: Vec<i32> = words.iter().take(3).map_while(|w| w.parse().ok()).collect();
        let [i, y, x] = numbers[..] else { return false };
        let most = self.l() as i32 - 1;
        let is_measurement = (0..self.n() as i32).contains(&i)
            && (-most..=most).contains(&y)
            && (-most..=most).contains(&x);
        let measurements = self.measurements().len();
        (i, y, x) == (-1, -1, -1) || is_measurement && measurements < self.case.noise.len()
    }

    fn measure(&self, [i, y, x]: [i64; 3], number: usize) -> i64 {
        let cell = self.case.exit_cells[usize::from(self.case.exits[i as usize])];
        let last = self.l() - 1;
        let forth = |at: usize| if at == last { 0 } else { at + 1 };
        let back = |at: usize| if at == 0 { last } else { at - 1 };
        let walk = |mut at: usize, steps: i64| {
            for _ in 0..steps.abs() {
                at = if steps > 0 { forth(at) } else { back(at) };
            }
            at
        };
        let row = walk(usize::from(cell.row), y);
        let column = walk(usize::from(cell.column), x);
        let value = self.rows()[row][column] + i64::from(self.case.noise[number]);
        value.clamp(0, 1000)
    }

    fn score(&self) -> u64 {
        let mut cost = 100_000;
        if self.lines.len() >= self.l() {
            let (rows, l) = (self.rows(), self.l());
            for i in 0..l {
                for j in 0..l {
                    cost += (rows[i][j] - rows[(i + 1) % l][j]).pow(2);
                    cost += (rows[i][j] - rows[i][(j + 1) % l]).pow(2);
                }
            }
        }
        for [_, y, x] in self.measurements() {
            cost += 100 * (10 + y.abs() + x.abs());
        }
        let answer = self.answer();
        let is_right = |i: &usize| answer[*i] == usize::from(self.case.exits[*i]);
        let right = match answer.len() == self.n() {
            true => (0..self.n()).filter(is_right).count(),
            false => 0,
        };
        let mut share = 1e14;
        for _ in right..self.n() {
            share *= 0.8;
        }
        (share / cost as f64).ceil() as u64
    }
}

/// A session that hears line after line, as the judge passes them on.
struct Listener {
    game: Game,
    question: Vec<String>,
}

impl Listener {
    fn hear(&mut self, line: &str) -> Heard {
        self.question.push(line.to_owned());
        let text = self.question.join("\n");
        let question = Question::from_lines(text.as_bytes(), self.question.len());
        if Session::is_incomplete(&self.game, &question) {
            return Heard::Nothing;
        }
        let played = self.game.play(text.as_bytes());
        if played.is_err() {
            // The lines before the refused one stand: so the game may be compared line by line.
            self.question.pop();
        } else {
            self.question.clear();
        }
        match played {
            Ok(Some(reply)) => Heard::Reply(i64::from(reply)),
            Ok(None) => Heard::Nothing,
            Err(_) => Heard::Refused,
        }
    }
}

/// Scores are the same, except for the last digits of a power that is multiplied out.
fn is_close(a: u64, b: u64) -> bool {
    a.abs_diff(b) <= 1 + a / 1_000_000_000_000
}

/// A line that is wrong, at the places of a game where it is heard: before a line that is right.
fn wrong_line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[-+0-9 .eN]{1,12}",
        "-?[0-9]{1,3} -?[0-9]{1,2} -?[0-9]{1,2}",
        "[0-9]{1,2}( [0-9]{1,4}){8,11}",
        // Measurements just inside and just outside.
        (-2_i8..62, -11_i8..12, -11_i8..12).prop_map(|(i, y, x)| format!("{i} {y} {x}")),
        "[ -1]{1,9}",
    ]
    .prop_filter("neither blank nor a comment", |line| {
        !line.trim().is_empty()
    })
}

/// All lines of a game on a grid of 10 rows with 60 wormholes.
fn whole_game() -> impl Strategy<Value = Vec<String>> {
    let row = prop::collection::vec(0_u16..=1000, 10);
    let grid = prop::collection::vec(row, 10);
    let measurements = prop::collection::vec((0_u8..60, -9_i8..10, -9_i8..10), 0..30);
    let answer = prop::collection::vec(0_u8..60, 60);
    (grid, measurements, answer).prop_map(|(grid, measurements, answer)| {
        let row = |row: &Vec<u16>| {
            let words: Vec<String> = row.iter().map(u16::to_string).collect();
            words.join(" ")
        };
        let mut lines: Vec<String> = grid.iter().map(row).collect();
        lines.extend(measurements.iter().map(|(i, y, x)| format!("{i} {y} {x}")));
        lines.push("-1 -1 -1".to_owned());
        lines.extend(answer.iter().map(u8::to_string));
        lines
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn game_is_its_slow_twin(
        (seed, lines, wrong) in (
            0_u64..1000,
            whole_game(),
            prop::collection::vec((any::<prop::sample::Index>(), wrong_line()), 0..12),
        ),
        knows in 0_usize..=60,
    ) {
        let fixed = FixedParameters::new(Some(10), Some(60), None).unwrap();
        let case = generate(seed, fixed);
        let mut lines = lines;
        let answers = lines.len() - 60;
        for (line, exit) in lines[answers..].iter_mut().zip(&case.exits).take(knows) {
            *line = exit.to_string();
        }
        for (at, line) in wrong {
            lines.insert(at.index(lines.len()), line);
        }
        let mut twin = Twin { case: &case, lines: Vec::new() };
        let mut listener = Listener { game: Game::new(case.clone().into()), question: Vec::new() };
        for line in &lines {
            prop_assert_eq!(listener.hear(line), twin.hear(line), "{}", line);
            let (is, expected) = (listener.game.measurements(), twin.measurements().len());
            prop_assert_eq!(is, expected);
        }
        // Half a grid is no grid: before the last row nothing is paid for it.
        let (is, expected) = (listener.game.score(), twin.score());
        prop_assert!(is_close(is, expected), "{} {}", is, expected);
    }
}

/// What is a number, and what is not looked at.
#[test]
fn numbers_are_read_as_the_official_tester_reads_them() {
    let fixed = FixedParameters::new(Some(10), Some(60), None).unwrap();
    let case = generate(7, fixed);
    let row = "0 0 0 0 0 0 0 0 0 ";
    let grid: Vec<String> = (0..9).map(|_| format!("{row}0")).collect();
    let end = ["-1 -1 -1".to_owned()];
    let measuring = [&grid[..], &[format!("{row}1")]].concat();
    let answering = [&measuring[..], &end].concat();
    for (before, line, accepted) in [
        (&grid, format!("{row}+7"), true),
        (&grid, format!("{row}007"), true),
        (&grid, format!("{row}-0"), false),
        (&grid, format!("{row}7.0"), false),
        (&grid, format!("{row}７"), false),
        (&grid, ["1"; 10].join("\u{3000}"), true),
        (&measuring, "+3 -0 007".to_owned(), true),
        (&measuring, "3\u{3000}0\u{85}0".to_owned(), true),
        (&measuring, "3 0 0 0".to_owned(), true),
        (&measuring, "3 0 0 x".to_owned(), true),
        (&measuring, "3 0 0x1".to_owned(), false),
        (&measuring, "-1 -1 -1 -1".to_owned(), true),
        (&answering, "+3".to_owned(), true),
        (&answering, "\u{3000}3\u{3000}".to_owned(), true),
        (&answering, "-0".to_owned(), false),
        (&answering, "3 4".to_owned(), false),
    ] {
        let mut twin = Twin {
            case: &case,
            lines: before.clone(),
        };
        let mut listener = Listener {
            game: Game::new(case.clone().into()),
            question: Vec::new(),
        };
        for line in before {
            assert_ne!(listener.hear(line), Heard::Refused, "{line}");
        }
        let expected = twin.hear(&line);
        assert_eq!(expected != Heard::Refused, accepted, "{line}");
        assert_eq!(listener.hear(&line), expected, "{line}");
    }
}
