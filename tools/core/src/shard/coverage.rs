//! The coverage of a run by its shards: which cases are missing, and for how long cases were judged.

use std::collections::BTreeSet;
use std::ops::Range;

use super::line::End;
use super::manifest::Manifest;
use super::part::Part;

/// How many items of a list are shown.
const TOLD: usize = 20;

/// The shards that were read to their ends.
#[derive(Default)]
pub(super) struct Coverage {
    shards: Vec<Shard>,
}

struct Shard {
    part: Part,
    block: Range<usize>,
    begun_ms: i64,
    took_ms: i64,
}

impl Coverage {
    /// One more.
    pub(super) fn add(&mut self, part: Part, about: &Manifest, begun_ms: i64, end: &End) {
        self.shards.push(Shard {
            part,
            block: part.block(about.planned()),
            begun_ms,
            took_ms: i64::try_from(end.took_ms).unwrap_or(i64::MAX),
        });
    }

    /// The positions that no shard has, in ascending order.
    pub(super) fn gaps(&self, planned: usize) -> Vec<Range<usize>> {
        let mut blocks: Vec<Range<usize>> = self.shards.iter().map(|s| s.block.clone()).collect();
        blocks.sort_by_key(|block| block.start);
        let mut gaps = Vec::new();
        let mut next = 0;
        for block in blocks.into_iter().chain(std::iter::once(planned..planned)) {
            if next < block.start {
                gaps.push(next..block.start);
            }
            next = next.max(block.end);
        }
        gaps
    }

    /// What is missing, in words; `None` if there are no gaps.
    pub(super) fn missing(&self, about: &Manifest, gaps: &[Range<usize>]) -> Option<String> {
        if gaps.is_empty() {
            return None;
        }
        let (cases, planned) = (gaps.iter().map(Range::len).sum::<usize>(), about.planned());
        let ranges = first_of(gaps.iter().map(|gap| range(about, gap)));
        let shards = match self.missing_parts() {
            Some(parts) => format!(", those of shards {parts}"),
            None => String::new(),
        };
        Some(format!(
            "{cases} of {planned} cases are missing: {ranges}{shards}"
        ))
    }

    /// The shards that are missing, if all are parts of one division.
    fn missing_parts(&self) -> Option<String> {
        let of = self.shards.first()?.part.of();
        if self.shards.iter().any(|shard| shard.part.of() != of) {
            return None;
        }
        let there: BTreeSet<u64> = self.shards.iter().map(|s| s.part.index()).collect();
        let missing = (1..=of).filter(|index| !there.contains(index));
        Some(first_of(missing.map(|index| format!("{index}/{of}"))))
    }

    /// When the first shard was begun.
    pub(super) fn begun_ms(&self) -> i64 {
        self.shards.iter().map(|s| s.begun_ms).min().unwrap_or(0)
    }

    /// How long at least one shard was being judged: overlapping time counts once, pauses do not count.
    pub(super) fn took_ms(&self) -> i64 {
        let ended = |shard: &Shard| shard.begun_ms.saturating_add(shard.took_ms);
        let spans = self
            .shards
            .iter()
            .map(|shard| (shard.begun_ms, ended(shard)));
        let mut spans: Vec<(i64, i64)> = spans.collect();
        spans.sort_unstable();
        let (mut took, mut until) = (0_i64, i64::MIN);
        for (begun, ended) in spans {
            took = took.saturating_add(ended.saturating_sub(begun.max(until)).max(0));
            until = until.max(ended);
        }
        took
    }
}

/// The first of them, with commas in between.
fn first_of(mut all: impl Iterator<Item = String>) -> String {
    let mut told: Vec<String> = all.by_ref().take(TOLD).collect();
    if all.next().is_some() {
        told.push("…".to_owned());
    }
    told.join(", ")
}

/// Cases by their numbers, or by their places, counted from 1, where their numbers are not known.
fn range(about: &Manifest, gap: &Range<usize>) -> String {
    let last = gap.end - 1;
    match (about.case_at(gap.start), about.case_at(last)) {
        (Some(first), Some(last)) if first == last => format!("{first}"),
        (Some(first), Some(last)) => format!("{first} to {last}"),
        _ => format!(
            "the files from number {} to {} in their order",
            gap.start + 1,
            last + 1
        ),
    }
}
