//! Failed cases, told apart by how they failed.

use std::collections::BTreeMap;

use crate::case::CaseId;
use crate::judge::record::{JudgedCase, Record, Verdict};

/// How many cases of one kind are named.
const NAMED: usize = 8;
/// How many kinds are distinguished; cases of further kinds are only counted.
const KINDS: usize = 100;

/// The failed cases of a batch. Memory does not grow with their number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Failures {
    kinds: BTreeMap<(Verdict, String), Failure>,
    /// Failed cases of further kinds.
    pub others: usize,
}

/// Cases that failed for the same reason, apart from the numbers in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// The first of them.
    pub first: JudgedCase,
    /// The numbers of the next ones, a few.
    pub next: Vec<CaseId>,
    /// How many there are.
    pub count: usize,
}

impl Failures {
    /// One more failed case. Returns how many there are of its kind; `None` if its kind is only counted.
    pub fn add(&mut self, judged: &JudgedCase) -> Option<usize> {
        let kind = kind_of(&judged.record);
        let full = self.kinds.len() >= KINDS;
        match self.kinds.get_mut(&kind) {
            Some(failure) => {
                failure.count += 1;
                if failure.next.len() < NAMED {
                    failure.next.push(judged.case.id);
                }
                Some(failure.count)
            }
            None if full => {
                self.others += 1;
                None
            }
            None => {
                let failure = Failure {
                    first: judged.clone(),
                    next: Vec::new(),
                    count: 1,
                };
                self.kinds.insert(kind, failure);
                Some(1)
            }
        }
    }

    /// The kinds, the most frequent first.
    pub fn kinds(&self) -> Vec<&Failure> {
        self.sorted()
            .into_iter()
            .map(|(_, failure)| failure)
            .collect()
    }

    /// The place of a record's kind in [`Failures::kinds`]; `None` if its kind is only counted.
    pub(crate) fn kind_index(&self) -> impl Fn(&Record) -> Option<usize> + '_ {
        let sorted = self.sorted().into_iter().zip(0..);
        let places: BTreeMap<_, usize> = sorted.map(|((kind, _), place)| (kind, place)).collect();
        move |record| places.get(&kind_of(record)).copied()
    }

    fn sorted(&self) -> Vec<(&(Verdict, String), &Failure)> {
        let mut kinds: Vec<_> = self.kinds.iter().collect();
        kinds.sort_by_key(|(_, failure)| (std::cmp::Reverse(failure.count), failure.first.case.id));
        kinds
    }
}

/// What tells kinds of failure apart.
fn kind_of(record: &Record) -> (Verdict, String) {
    let reason = record.reason.as_deref().unwrap_or_default();
    (record.verdict, without_numbers(reason))
}

/// The text with each number in it replaced, so that `turn 3` and `turn 12` are alike.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_do_not_tell_reasons_apart() {
        assert_eq!(without_numbers("turn 12: 2.05 s"), "turn #: #.# s");
        assert_eq!(without_numbers("turn 3: 2.1 s"), "turn #: #.# s");
    }

    #[test]
    fn a_hundred_kinds_are_told_apart_and_eight_more_cases_of_each_are_named() {
        let failed = |id: u64, kind: usize| {
            JudgedCase::sample(id, Verdict::Wa, 0, |record| {
                record.reason = Some("x".repeat(kind));
            })
        };
        let mut failures = Failures::default();
        for kind in 0..100 {
            assert_eq!(failures.add(&failed(kind as u64, kind)), Some(1));
        }
        assert_eq!(failures.add(&failed(100, 100)), None);
        assert_eq!(failures.add(&failed(101, 101)), None);
        assert_eq!(failures.others, 2);
        for (id, count) in (200..).zip(2..=10) {
            assert_eq!(failures.add(&failed(id, 7)), Some(count));
        }
        let kinds = failures.kinds();
        assert_eq!((kinds.len(), kinds[0].count), (100, 10));
        assert_eq!(kinds[0].next, (200..208).map(CaseId).collect::<Vec<_>>());
        // The most frequent one first, and then in the order of their first cases.
        let index = failures.kind_index();
        let places = [7, 0, 6, 8, 100].map(|kind| index(&failed(0, kind).record));
        assert_eq!(places, [Some(0), Some(1), Some(7), Some(8), None]);
    }
}
