//! Progress of what takes long: a batch, a duel, a deletion.

use std::time::Duration;

use tester_core::judge::record::{JudgedCase, Record, Verdict};
use tester_core::problem::Score;
use tester_core::report::duel;
use tester_core::report::figures::grouped;
use tester_core::report::text::failed_case_text;
use tester_core::stats::Failures;
use tester_core::stats::duel_state::DuelState;
use tester_core::stats::reference::Reference;
use tester_core::util::quote::one_line;
use tester_core::util::terminal::columns;

use super::progress_line::{Line, bar};
use crate::system_hint::system_hint;

/// Where the line goes, and how often.
pub(crate) struct Progress {
    line: Line,
    count: Count,
    failures: Failures,
    /// How many lines of failed cases were printed.
    printed_failures: usize,
    reference: Option<Reference>,
}

/// Means from here on have no decimals.
const LARGE: f64 = 1e6;
/// The most failed cases of one kind that are printed as they happen.
const OF_A_KIND: usize = 3;
/// As many cases that run into their limit are a wait that a user need not sit out.
const MANY_LEFT: u64 = 10;
/// The most failed cases that are printed as they happen.
const FAILURE_LINES: usize = 30;

/// What is counted.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    cases: u64,
    /// How many of the done cases were done before this process began.
    earlier: u64,
    done: u64,
    accepted: u64,
    total_score: f64,
    /// How many decimals scores have.
    decimals: u8,
}

impl Progress {
    /// None of these cases is done yet.
    pub(crate) fn new(cases: usize) -> Self {
        Self {
            line: Line::new(),
            count: Count {
                cases: cases as u64,
                ..Count::default()
            },
            failures: Failures::default(),
            printed_failures: 0,
            reference: None,
        }
    }

    /// The same with relative scores.
    #[must_use]
    pub(crate) fn against(self, reference: Option<Reference>) -> Self {
        Self { reference, ..self }
    }

    /// Whether it uses the best scores known for the cases.
    pub(crate) fn needs_best(&self) -> bool {
        self.reference.is_some()
    }

    /// Counts a case that was done before this process began, with the best score known for it.
    pub(crate) fn add_earlier(&mut self, judged: &JudgedCase, best: Option<Score>) {
        self.count.earlier += 1;
        self.count_case(judged, best);
    }

    fn count_case(&mut self, judged: &JudgedCase, best: Option<Score>) {
        self.count.add(&judged.record);
        if let Some(reference) = &mut self.reference {
            reference.add(judged, best);
        }
    }

    /// Counts another case, with the best score known for it; one that failed is printed, unless many failed likewise.
    pub(crate) fn add(&mut self, judged: &JudgedCase, best: Option<Score>) {
        self.count_case(judged, best);
        let columns = columns(&std::io::stderr()).map(usize::from);
        if let Some(lines) = self.failure_lines(judged, columns) {
            self.line.print(&lines);
        }
        let (count, reference) = (self.count, self.reference.as_ref());
        self.line.show(|elapsed| count.line(elapsed, reference));
    }

    /// What is printed of a failed case. On a terminal, `columns` is its width.
    fn failure_lines(&mut self, judged: &JudgedCase, columns: Option<usize>) -> Option<String> {
        if judged.accepted() {
            return None;
        }
        let nth = self.failures.add(judged).unwrap_or(usize::MAX);
        if nth > OF_A_KIND || self.printed_failures >= FAILURE_LINES {
            return None;
        }
        self.printed_failures += 1;
        let last = match nth == OF_A_KIND || self.printed_failures == FAILURE_LINES {
            true => " (more are only counted)",
            false => "",
        };
        let headline = one_line(&judged.record.headline());
        let text = failed_case_text(judged.case.id, &format!("{headline}{last}"), columns);
        let hint = match judged.record.verdict {
            Verdict::Ie if nth == 1 => system_hint(&headline),
            Verdict::Tle if nth == OF_A_KIND => self.count.hint_on_waiting(),
            _ => None,
        };
        let hint = hint.map(|hint| format!("\nhint: {hint}"));
        let hint = hint.unwrap_or_default();
        Some(format!("{}{hint}", text.trim_end()))
    }

    /// How many cases are done.
    pub(crate) fn done(&self) -> usize {
        self.count.done as usize
    }

    /// Takes the line away again.
    pub(crate) fn clear(&mut self) {
        self.line.clear();
    }
}

/// Progress of a duel.
pub(crate) struct DuelProgress {
    line: Line,
}

impl DuelProgress {
    pub(crate) fn new() -> Self {
        Self { line: Line::new() }
    }

    /// Shows the state; `cases` is the most that will be played.
    pub(crate) fn show(&mut self, state: &DuelState, cases: u64) {
        self.line.show(|_| duel::progress_line(state, cases));
    }

    /// Takes the line away again.
    pub(crate) fn clear(&mut self) {
        self.line.clear();
    }
}

/// Progress of a deletion: outputs are looked at, then removed. A log gets no line.
pub(crate) struct DeleteProgress {
    line: Line,
    cases: usize,
    passed: usize,
}

impl DeleteProgress {
    /// None of these cases is deleted yet.
    pub(crate) fn new(cases: usize) -> Self {
        Self {
            line: Line::new(),
            cases,
            passed: 0,
        }
    }

    /// Another output was looked at or removed.
    pub(crate) fn pass(&mut self) {
        self.passed += 1;
        let (done, cases) = (self.passed / 2, self.cases);
        if self.line.terminal {
            self.line.show(|_| {
                format!(
                    "[{}] {done}/{cases} deleted",
                    bar(done as u64, cases as u64)
                )
            });
        }
    }

    /// Takes the line away again.
    pub(crate) fn clear(&mut self) {
        self.line.clear();
    }
}

impl Count {
    fn add(&mut self, record: &Record) {
        self.done += 1;
        if record.verdict == Verdict::Ac {
            self.accepted += 1;
            self.total_score += record.score.value();
            self.decimals = record.score.decimals();
        }
    }

    /// What to do if each case so far has taken its whole time limit, and many are left.
    fn hint_on_waiting(self) -> Option<&'static str> {
        let left = self.cases.saturating_sub(self.done);
        (self.accepted == 0 && left >= MANY_LEFT).then_some(
            "no case is accepted so far, and each takes its whole time limit: Ctrl-C ends the batch; --fail-fast ends \
             it at the first failure",
        )
    }

    /// For example `[#########---------------------] 300/1000  512/s  1 s left  mean 4.987  relative 98.31 (run 3: 97.20)
    /// 2 failed`: the mean relative scores of this run and of the best earlier one.
    fn line(self, elapsed: Duration, reference: Option<&Reference>) -> String {
        let rate = (self.done - self.earlier) as f64 / elapsed.as_secs_f64().max(1e-9);
        let left = self.cases.saturating_sub(self.done) as f64 / rate;
        let mean = match self.accepted {
            0 => "-".to_owned(),
            accepted => {
                let mean = self.total_score / accepted as f64;
                let small = usize::from(self.decimals + 1).max(3);
                let places = if mean.abs() < LARGE { small } else { 0 };
                grouped(&format!("{mean:.places$}"))
            }
        };
        let left = match left {
            // Before the first case nothing is known.
            long if !long.is_finite() => "-".to_owned(),
            long if long >= 120.0 => format!("{:.0} min left", long / 60.0),
            short => format!("{short:.0} s left"),
        };
        let slow = usize::from(rate < 10.0);
        let relative = reference.and_then(|reference| {
            let mean = reference.mean()?;
            let earlier = reference.earlier_mean();
            let earlier = earlier.map(|(name, mean)| format!(" ({name}: {mean:.2})"));
            Some(format!(
                "  relative {mean:.2}{}",
                earlier.unwrap_or_default()
            ))
        });
        let relative = relative.unwrap_or_default();
        format!(
            "[{}] {}/{}  {rate:.slow$}/s  {left}  mean {mean}{relative}  {} failed",
            bar(self.done, self.cases),
            self.done,
            self.cases,
            self.done - self.accepted
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tester_core::case::{CaseId, CaseKey, Digest};
    use tester_core::problem::Objective;
    use tester_core::stats::paired::CaseScore;

    fn judged(id: u64, verdict: Verdict, score: u64, reason: Option<String>) -> JudgedCase {
        let record = Record {
            verdict,
            score: score.into(),
            reason,
            ..Record::internal_error(String::new(), String::new())
        };
        let case = CaseKey {
            id: CaseId(id),
            digest: Digest(id),
            seed: None,
        };
        JudgedCase { case, record }
    }

    fn failed(id: u64, verdict: Verdict, reason: String) -> JudgedCase {
        judged(id, verdict, 0, Some(reason))
    }

    fn accepted(id: u64) -> JudgedCase {
        judged(id, Verdict::Ac, 50, None)
    }

    #[test]
    fn line_tells_rate_time_left_mean_and_failures() {
        let count = Count {
            cases: 1000,
            done: 300,
            accepted: 298,
            total_score: 1486.0,
            decimals: 0,
            earlier: 0,
        };
        insta::assert_snapshot!(count.line(Duration::from_millis(600), None), @"[#########---------------------] 300/1000  500/s  1 s left  mean 4.987  2 failed");
        insta::assert_snapshot!(count.line(Duration::from_secs(300), None), @"[#########---------------------] 300/1000  1.0/s  12 min left  mean 4.987  2 failed");
        let none = Count {
            cases: 10,
            done: 1,
            ..Count::default()
        };
        insta::assert_snapshot!(none.line(Duration::from_secs(2), None), @"[###---------------------------] 1/10  0.5/s  18 s left  mean -  1 failed");
        let large = Count {
            total_score: 298.0 * 67_251_004_596.048,
            ..count
        };
        insta::assert_snapshot!(large.line(Duration::from_secs(1), None), @"[#########---------------------] 300/1000  300/s  2 s left  mean 67,251,004,596  2 failed");
        let before = CaseScore {
            id: CaseId(0),
            digest: Digest(0),
            score: Some(40.into()),
        };
        let mut reference = Reference::new(Objective::Max).beside("run 7".to_owned(), vec![before]);
        reference.add(&accepted(0), Some(80.into()));
        insta::assert_snapshot!(count.line(Duration::from_secs(1), Some(&reference)), @"[#########---------------------] 300/1000  300/s  2 s left  mean 4.987  relative 62.50 (run 7: 50.00)  2 failed");
    }

    #[test]
    fn a_deletion_is_shown_in_a_terminal_only() {
        for (terminal, expected) in [
            (
                true,
                "\r\x1b[2K[##########--------------------] 1/3 deleted\r\x1b[2K",
            ),
            (false, ""),
        ] {
            let (mut shown, output) = std::io::pipe().unwrap();
            let mut progress = DeleteProgress::new(3);
            // Longer ago than each line waits for the one before.
            progress.line = Line::started_before(Duration::from_secs(11), terminal, output.into());
            progress.passed = 2;
            progress.pass();
            progress.clear();
            drop(progress);
            let mut text = String::new();
            std::io::Read::read_to_string(&mut shown, &mut text).unwrap();
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn failed_cases_are_told_as_they_happen_until_there_are_many() {
        let mut progress = Progress::new(1000);
        let mut told = Vec::new();
        let mut add = |judged: &JudgedCase| told.extend(progress.failure_lines(judged, None));
        add(&accepted(0));
        for id in 1..=100 {
            let reason = format!("score 0: day {id} is full\u{1b}");
            add(&failed(id, Verdict::Wa, reason));
        }
        insta::assert_snapshot!(told.join("\n"), @r"
        0001  WA: score 0: day 1 is full\u{1b}
        0002  WA: score 0: day 2 is full\u{1b}
        0003  WA: score 0: day 3 is full\u{1b} (more are only counted)
        ");
        let mut add = |judged: &JudgedCase| told.extend(progress.failure_lines(judged, None));
        for id in 101..=200 {
            let reason = "x".repeat(id as usize);
            add(&failed(id, Verdict::Re, reason));
        }
        assert_eq!(told.len(), FAILURE_LINES);
    }

    #[test]
    fn a_batch_in_which_every_case_takes_its_time_limit_has_a_hint_once() {
        let hints = |cases: usize, first: &JudgedCase| {
            let mut progress = Progress::new(cases);
            progress.count_case(first, None);
            let mut add = |id| {
                let case = failed(id, Verdict::Tle, "2.00 s passed".to_owned());
                progress.count_case(&case, None);
                progress.failure_lines(&case, None)
            };
            let lines: Vec<String> = (1..=9).filter_map(&mut add).collect();
            let hint = |line: &String| line.split_once("\nhint: ").map(|(_, hint)| hint.to_owned());
            lines.iter().filter_map(hint).collect::<Vec<_>>()
        };
        let wrong = failed(0, Verdict::Wa, String::new());
        let expected = "no case is accepted so far, and each takes its whole time limit: Ctrl-C ends the batch; \
            --fail-fast ends it at the first failure";
        assert_eq!(hints(14, &wrong), [expected]);
        assert!(hints(13, &wrong).is_empty(), "nine are left");
        assert!(hints(100, &accepted(0)).is_empty());
    }

    #[test]
    fn the_first_case_that_the_machine_could_not_judge_has_a_hint() {
        let mut progress = Progress::new(10);
        let mut add = |id, verdict| {
            let reason = "failed to start ./a: Too many open files (os error 24)".to_owned();
            progress
                .failure_lines(&failed(id, verdict, reason), None)
                .unwrap()
        };
        insta::assert_snapshot!(add(1, Verdict::Ie), @r"
        0001  IE: failed to start ./a: Too many open files (os error 24)
        hint: each job takes about twelve open files: type fewer --jobs, or raise the limit (ulimit -Hn)
        ");
        assert!(!add(2, Verdict::Ie).contains("hint: "));
        assert!(!add(3, Verdict::Re).contains("hint: "));
    }
}
