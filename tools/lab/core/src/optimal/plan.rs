//! Which searches an objective needs, and the strategy that they found.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use super::bound_progress::BoundProgress;
use super::bounds::{ANY, Cap, IMPOSSIBLE, next};
use super::cells::Cells;
use super::memo::{Cost, Want};
use super::options::{Objective, Optimum, Options, Part};
use super::space::{Id, Space};
use super::state::{Search, Stopped};
use crate::solver::pegs::Codes;
use crate::strategy::{Node, Strategy};

/// The searches for one game.
pub(super) struct Plan<'a> {
    codes: &'a Codes,
    pub(super) space: &'a Space,
    pub(super) all: Vec<Id>,
    pub(super) least: Search<'a>,
    pub(super) any: Search<'a>,
    /// If only a good strategy is wanted. Its results are no proofs, so they are kept apart.
    narrow: Option<Search<'a>>,
    /// No strategy has a lower total.
    pub(super) lower: &'a AtomicU32,
    /// The best strategy of an earlier search.
    pub(super) earlier: Option<Optimum>,
    /// The best strategy that was seen in this one.
    seen: Mutex<Option<Optimum>>,
    part: Option<Part>,
}

impl<'a> Plan<'a> {
    pub(super) fn new(
        codes: &'a Codes,
        space: &'a Space,
        options: &Options<'_>,
        stop: &'a AtomicBool,
        lower: &'a AtomicU32,
    ) -> Self {
        let least = || Search::new(space, Want::Least, options, stop);
        Self {
            codes,
            space,
            all: match options.secrets {
                Some(secrets) => secrets.iter().map(|&id| id as Id).collect(),
                None => (0..codes.len() as Id).collect(),
            },
            least: least(),
            any: Search::new(space, Want::Any, options, stop),
            narrow: options.width.map(|width| Search {
                width: Some(width),
                ..least()
            }),
            lower,
            earlier: None,
            seen: Mutex::default(),
            part: options.part,
        }
    }

    /// For how many sets guesses were tried.
    pub(super) fn nodes(&self) -> u64 {
        self.searches().map(Search::nodes).sum()
    }

    fn searches(&self) -> impl Iterator<Item = &Search<'a>> {
        [&self.least, &self.any].into_iter().chain(&self.narrow)
    }

    /// The search whose strategy is asked for.
    fn finder(&self) -> &Search<'a> {
        self.narrow.as_ref().unwrap_or(&self.least)
    }

    /// Searches until the objective is proved, or the search is stopped.
    pub(super) fn follow(&self, objective: Objective) -> Optimum {
        if let Some(part) = self.part {
            let finished = self.solve_part(part).is_ok();
            return Optimum {
                finished,
                ..self.so_far()
            };
        }
        if let Some(narrow) = &self.narrow {
            return self.follow_narrow(narrow);
        }
        let found = match objective {
            Objective::MeanThenWorst => self.least_mean(),
            Objective::WorstThenMean => self.least_worst(),
        };
        let optimum = found.and_then(|cap| self.strategy(cap, true));
        optimum.unwrap_or_else(|Stopped| self.so_far())
    }

    /// Searches for a good strategy. The proved bound stays what an earlier search or the number of codes tells.
    fn follow_narrow(&self, narrow: &Search<'_>) -> Optimum {
        let bound = self.least.known_bound(&self.all);
        self.lower.fetch_max(bound, Ordering::Relaxed);
        let found = narrow.least(&self.all, ANY, IMPOSSIBLE);
        let found = found.and_then(|_| self.strategy(ANY, true));
        let finished = found.is_ok();
        found.into_iter().for_each(|found| self.see(found));
        Optimum {
            finished,
            ..self.so_far()
        }
    }

    /// What is found so far: where the best guess is not known yet, one that usually is good.
    pub(super) fn so_far(&self) -> Optimum {
        let found = self.strategy(ANY, false);
        let found = found.unwrap_or_else(|Stopped| unreachable!("nothing is searched"));
        // A set that gets another guess has other cells. Their best guesses may not be known yet.
        self.see(found.clone());
        let seen = self.seen.lock().expect("no thread panics in here");
        let all = seen.iter().chain(&self.earlier);
        let best = all.min_by_key(|best| best.total).expect("one was seen");
        Optimum {
            strategy: best.strategy.clone(),
            histogram: best.histogram.clone(),
            total: best.total,
            worst: best.worst,
            ..found
        }
    }

    /// Keeps the best strategy that was seen.
    fn see(&self, found: Optimum) {
        let mut seen = self.seen.lock().expect("no thread panics in here");
        if seen.as_ref().is_none_or(|seen| found.total < seen.total) {
            *seen = Some(found);
        }
    }

    /// The least total.
    fn uncapped(&self) -> Result<Cost, Stopped> {
        let progress = BoundProgress::Root(self.lower);
        // Where a strategy is known, one that costs no more is found.
        let earlier = self.earlier.as_ref();
        let budget = earlier.map_or(IMPOSSIBLE, |earlier| earlier.total as u32 + 1);
        let cost = self
            .least
            .least_from(&self.all, ANY, budget, Some(&progress))?;
        self.lower.store(cost.total, Ordering::Relaxed);
        Ok(cost)
    }

    /// The lowest cap with which the least total is possible.
    fn least_mean(&self) -> Result<Cap, Stopped> {
        let found = self.uncapped()?;
        self.lowest_cap(found, |cap| {
            let other = self.least.least(&self.all, cap, found.total + 1)?;
            Ok((other.total == found.total).then_some(other))
        })
    }

    /// The lowest cap that is possible at all.
    fn least_worst(&self) -> Result<Cap, Stopped> {
        let found = self.uncapped()?;
        self.lowest_cap(found, |cap| self.within(cap, found.total))
    }

    /// Lowers the cap below what was found without one, as long as something is found `within` it.
    fn lowest_cap(
        &self,
        found: Cost,
        within: impl Fn(Cap) -> Result<Option<Cost>, Stopped>,
    ) -> Result<Cap, Stopped> {
        let (mut cap, mut lower) = (ANY, found.worst - 1);
        while let Some(other) = within(lower)? {
            (cap, lower) = (lower, other.worst - 1);
        }
        Ok(cap)
    }

    /// The least cost within a cap; without one it is `least`. None if none is possible.
    fn within(&self, cap: Cap, least: u32) -> Result<Option<Cost>, Stopped> {
        // A cap mostly costs little, and what costs little more is soon found, or soon excluded.
        let mut more = 1;
        loop {
            let budget = (least + more).min(IMPOSSIBLE);
            let found = self.least.least(&self.all, cap, budget)?;
            if found.total < budget {
                return Ok(Some(found));
            }
            // That there is none at all is easier to prove alone.
            let impossible = more == WIDE && {
                let any = self.any.least(&self.all, cap, IMPOSSIBLE)?;
                any.total == IMPOSSIBLE
            };
            if found.total == IMPOSSIBLE || impossible {
                return Ok(None);
            }
            more = more.saturating_mul(4).min(IMPOSSIBLE);
        }
    }

    /// The strategy that was found within a cap.
    fn strategy(&self, cap: Cap, searched: bool) -> Result<Optimum, Stopped> {
        let mut histogram = Vec::new();
        let root = self.node(&self.all, cap, searched, &mut histogram, 0)?;
        let game = self.codes.game.title();
        Ok(Optimum {
            least_total: u64::from(self.lower.load(Ordering::Relaxed)),
            proved: searched,
            finished: searched,
            nodes: self.nodes(),
            sets: self.searches().map(Search::sets).sum(),
            ..Optimum::unproved(Strategy { game, root }, histogram)
        })
    }

    fn node(
        &self,
        set: &[Id],
        cap: Cap,
        searched: bool,
        histogram: &mut Vec<u64>,
        depth: usize,
    ) -> Result<Node, Stopped> {
        let guess = match searched {
            true => self.best(set, cap)?,
            false => self.finder().best_so_far(set, &self.all),
        };
        if histogram.len() <= depth {
            histogram.resize(depth + 1, 0);
        }
        histogram[depth] += u64::from(set.contains(&guess));
        let cells = Cells::new(self.space, set, guess);
        let mut then: Vec<(u8, Node)> = Vec::new();
        for (answer, cell) in cells.by_answer() {
            let node = self.node(cell, next(cap), searched, histogram, depth + 1)?;
            then.push((answer, node));
        }
        then.sort_by_key(|(answer, _)| *answer);
        let replies = then
            .into_iter()
            .map(|(answer, node)| (self.space.reply(answer), node));
        Ok(Node {
            guess: self.space.typed(guess),
            then: replies.collect(),
        })
    }

    fn best(&self, set: &[Id], cap: Cap) -> Result<Id, Stopped> {
        // Where its names were drawn otherwise, it may have to be searched again.
        self.finder().least(set, cap, IMPOSSIBLE)?;
        let guess = self.finder().remembered(set, cap);
        Ok(guess.expect("what was searched is remembered"))
    }
}

/// A strategy that keeps a cap is first searched for up to this much above the least total.
const WIDE: u32 = 16;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::codes;

    #[test]
    fn the_best_strategy_that_was_seen_stays_the_best_so_far() {
        let codes = codes("hitblow 3 9").unwrap();
        let space = Space::new(&codes);
        let (stop, lower) = (AtomicBool::new(false), AtomicU32::new(0));
        let plan = || Plan::new(&codes, &space, &Options::default(), &stop, &lower);
        // Nothing of it is remembered in another plan.
        let best = plan().follow(Objective::MeanThenWorst);
        let other = plan();
        let before = other.so_far();
        assert!(before.total > best.total, "{}", before.total);
        *other.seen.lock().unwrap() = Some(best.clone());
        let after = other.so_far();
        assert_eq!((after.total, after.histogram), (2337, best.histogram));
        assert!(!after.proved);
    }
}
