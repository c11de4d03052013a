//! What a search takes over from earlier ones, and what it leaves to later ones.

use std::sync::atomic::Ordering;

use super::cells::Cells;
use super::checkpoint::Checkpoint;
use super::memo::{Known, Want, Work};
use super::options::{Keep, Optimum};
use super::plan::Plan;
use super::space::Id;
use super::state::Search;
use crate::strategy::{Node, Strategy};

/// Results that were found faster than this many sets are searched are not kept: they are soon found again.
const LEAST_WORK: Work = super::memo::work_of(32);
/// Where there are more bytes of results, only those are kept that took more work.
const MOST_BYTES: usize = 64 << 20;

impl Plan<'_> {
    /// Takes over what an earlier search found out.
    pub(super) fn learn(&mut self, known: &Checkpoint) {
        self.lower
            .fetch_max(known.least_total() as u32, Ordering::Relaxed);
        for kept in known.kept() {
            let search = match kept.want {
                Want::Least => &self.least,
                Want::Any => &self.any,
            };
            // Normal forms of another version of this program may be others.
            let form = search.form(&kept.set);
            let result = match kept.known {
                Known::Exact(cost, guess) => Known::Exact(cost, form.named(self.space, guess)),
                Known::AtLeast(total) => Known::AtLeast(total),
            };
            let memo = &search.memo;
            memo.put(form.hash, &form.set, kept.cap, result, kept.work);
        }
        let best = known.best().and_then(|tree| self.played(tree));
        let earlier = self.earlier.take().into_iter().chain(best);
        self.earlier = earlier.min_by_key(|found| found.total);
    }

    /// What is worth keeping.
    pub(super) fn checkpoint(&self, keep: &Keep<'_>, found: &Optimum) -> Checkpoint {
        let best = Strategy {
            game: keep.game.to_owned(),
            root: found.strategy.root.clone(),
        };
        let lower = self.lower.load(Ordering::Relaxed);
        let mut checkpoint = Checkpoint::new(keep.game, self.space.len(), lower, Some(best));
        let searches = [(Want::Least, &self.least), (Want::Any, &self.any)];
        let least = least_work(searches.map(|(_, search)| search));
        for (want, search) in searches {
            search.memo.visit(|entry| {
                if entry.work >= least {
                    checkpoint.push(want, entry.cap, entry.known, entry.work, entry.set);
                }
            });
        }
        checkpoint
    }

    /// A strategy with its turns; none if it does not find every secret.
    fn played(&self, strategy: &Strategy) -> Option<Optimum> {
        let mut histogram = Vec::new();
        self.play(&strategy.root, &self.all, &mut histogram, 0)?;
        Some(Optimum::unproved(strategy.clone(), histogram))
    }

    fn play(&self, node: &Node, set: &[Id], histogram: &mut Vec<u64>, depth: usize) -> Option<()> {
        let guess = self.space.read(&node.guess)?;
        histogram.resize(histogram.len().max(depth + 1), 0);
        histogram[depth] += u64::from(set.contains(&guess));
        for (answer, cell) in Cells::new(self.space, set, guess).by_answer() {
            let reply = self.space.reply(answer);
            let (_, then) = node.then.iter().find(|(other, _)| *other == reply)?;
            if cell.len() == set.len() {
                return None;
            }
            self.play(then, cell, histogram, depth + 1)?;
        }
        Some(())
    }
}

/// Results that took at least this much work are kept, so that the file does not get too large.
fn least_work(searches: [&Search<'_>; 2]) -> Work {
    let mut bytes = [0_usize; 65];
    for search in searches {
        search.memo.visit(|entry| {
            bytes[usize::from(entry.work).min(64)] += Checkpoint::size_of(entry.set.len());
        });
    }
    let (mut least, mut sum) = (65, 0);
    while least > LEAST_WORK {
        sum += bytes[usize::from(least) - 1];
        if sum > MOST_BYTES {
            break;
        }
        least -= 1;
    }
    least
}
