//! A set whose guesses are tried, level by level: those first that may cost least.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use rayon::prelude::*;

use super::bounds::{Cap, IMPOSSIBLE};
use super::cells::{Cells, Count};
use super::floor::Floor;
use super::guesses::{Bag, Guesses};
use super::memo::Cost;
use super::search::{Search, Stopped, Want};
use super::space::Id;

/// Sets with more candidates are shared between threads.
const SHARED: usize = 150;

/// A set whose guesses are tried.
pub(super) struct Node<'a> {
    pub(super) search: &'a Search<'a>,
    pub(super) set: &'a [Id],
    pub(super) guesses: &'a Guesses,
    pub(super) cap: Cap,
    pub(super) floor: Option<&'a Floor<'a>>,
}

impl Node<'_> {
    /// Tries guesses, those first that may cost least. The least cost with a guess that attains it, if it is
    /// below `budget`; else a lower bound.
    pub(super) fn try_all(
        &self,
        count: &impl Count,
        low: u32,
        budget: u32,
    ) -> Result<Result<(Cost, Id), u32>, Stopped> {
        let of_bags = match self.search.without.bags {
            true => vec![0; self.guesses.bags.len()],
            false => count.of_bags(),
        };
        let twice = 2 * self.set.len() as u32;
        let may_be_split = self.search.may_be_split(self.set.len());
        let (mut best, mut budget, mut refuted) = (None, budget, IMPOSSIBLE);
        let (mut pending, mut fresh, mut tried) = (Vec::new(), Vec::new(), Vec::new());
        let mut level = of_bags.iter().copied().min().unwrap_or(IMPOSSIBLE);
        while level < budget && level < IMPOSSIBLE {
            // Guesses cost no less than their bags, so these are the only ones that may be on this level.
            let bags = self.guesses.bags.iter().zip(&of_bags);
            let bags: Vec<&Bag> = bags
                .filter(|(_, of_bag)| **of_bag == level)
                .map(|(bag, _)| bag)
                .collect();
            if self.is_shared() {
                let of_bag = |bag: &&Bag| {
                    let mut costs = Vec::new();
                    count.of_guesses(bag, &mut costs);
                    costs
                };
                pending.par_extend(bags.par_iter().flat_map_iter(of_bag));
                pending
                    .iter_mut()
                    .for_each(|(cost, _)| *cost = (*cost).max(level));
            }
            for bag in bags.into_iter().filter(|_| !self.is_shared()) {
                fresh.clear();
                count.of_guesses(bag, &mut fresh);
                for (cost, _) in &mut fresh {
                    *cost = (*cost).max(level);
                }
                let best_one = fresh.iter().find(|(cost, _)| *cost == twice);
                if let Some(&(_, guess)) = best_one.filter(|_| may_be_split && self.cap >= 3) {
                    // A candidate leaves one pair, another guess single candidates only.
                    let is_candidate = self.set.binary_search(&guess).is_ok();
                    let cost = Cost {
                        total: twice,
                        worst: if is_candidate { 3 } else { 2 },
                    };
                    return Ok(Ok((cost, guess)));
                }
                pending.append(&mut fresh);
            }
            let mut some: Vec<(f32, Id)> = Vec::new();
            let mut above = IMPOSSIBLE;
            pending.retain(|&(cost, guess)| {
                if cost == level {
                    some.push((0.0, guess));
                } else {
                    above = above.min(cost);
                }
                cost != level
            });
            if some.len() > 1 {
                for (usual, guess) in &mut some {
                    *usual = count.usual(*guess);
                }
                some.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            }
            let bags_above = of_bags.iter().copied().filter(|&of_bag| of_bag > level);
            above = bags_above.min().unwrap_or(IMPOSSIBLE).min(above);
            let so_far = SoFar {
                best: Mutex::new(best),
                budget: AtomicU32::new(budget),
                refuted: AtomicU32::new(refuted),
            };
            let done = self.try_some(count, &some, [level, above], low, &so_far, &mut tried)?;
            best = so_far.best.into_inner().expect("no thread panics in here");
            budget = so_far.budget.into_inner();
            refuted = so_far.refuted.into_inner();
            if done {
                break;
            }
            level = above;
        }
        // What was not tried costs `level` at least, and what was, `refuted`.
        Ok(best.ok_or_else(|| refuted.min(level).max(low)))
    }
}

impl Node<'_> {
    /// Of the guesses that may cost least as far as the sizes of their cells tell, the one that usually does.
    pub(super) fn usually_best(&self, count: &impl Count) -> Id {
        let of_bags = count.of_bags();
        let mut levels = of_bags.clone();
        levels.sort_unstable();
        levels.dedup();
        let (mut costs, mut least) = (Vec::new(), IMPOSSIBLE);
        for level in levels.into_iter() {
            if level > least {
                break;
            }
            let bags = self.guesses.bags.iter().zip(&of_bags);
            for (bag, _) in bags.filter(|(_, of_bag)| **of_bag == level) {
                count.of_guesses(bag, &mut costs);
            }
            least = costs.iter().map(|(cost, _)| *cost).min().unwrap_or(least);
        }
        let good = costs.iter().filter(|(cost, _)| *cost <= least + least / 16);
        let good = good.map(|&(_, guess)| (count.usual(guess), guess));
        let best = good.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        best.expect("there is always a guess").1
    }
}

/// What trying guesses has given so far.
struct SoFar {
    best: Mutex<Option<(Cost, Id)>>,
    budget: AtomicU32,
    refuted: AtomicU32,
}

impl Node<'_> {
    /// Whether several threads try the guesses of this set.
    fn is_shared(&self) -> bool {
        self.search.threads > 1 && self.set.len() > SHARED
    }

    /// Tries the guesses of one level; `true` if what is found cannot be bettered.
    fn try_some(
        &self,
        count: &impl Count,
        some: &[(f32, Id)],
        [level, above]: [u32; 2],
        low: u32,
        so_far: &SoFar,
        tried: &mut Vec<u64>,
    ) -> Result<bool, Stopped> {
        if self.is_shared() && some.len() > 1 {
            return self.try_some_at_once(count, some, level, low, so_far);
        }
        for &(_, guess) in some {
            let floor = self.floor.map(|floor| {
                // What is tried now and what was not tried yet: the former only if it is alone.
                let untried = if some.len() > 1 { level } else { above };
                let budget = so_far.budget.load(Ordering::Relaxed);
                let refuted = so_far.refuted.load(Ordering::Relaxed);
                floor.raise(level.min(budget).min(refuted));
                (floor, untried.min(budget).min(refuted))
            });
            let Some(cells) = count.cells(guess, tried) else {
                continue;
            };
            if self.try_one(guess, &cells, low, so_far, floor, true)? == Some(true) {
                return Ok(true);
            }
            if level >= so_far.budget.load(Ordering::Relaxed) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn try_some_at_once(
        &self,
        count: &impl Count,
        some: &[(f32, Id)],
        level: u32,
        low: u32,
        so_far: &SoFar,
    ) -> Result<bool, Stopped> {
        if let Some(floor) = self.floor {
            let budget = so_far.budget.load(Ordering::Relaxed);
            floor.raise(
                level
                    .min(budget)
                    .min(so_far.refuted.load(Ordering::Relaxed)),
            );
        }
        let (done, stopped) = (AtomicBool::new(false), AtomicBool::new(false));
        let (taken, busy) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        // True if there is nothing more to do.
        let try_one = |guess: Id, patient: bool| -> Result<bool, Stopped> {
            let found = level >= so_far.budget.load(Ordering::Relaxed);
            if found || done.load(Ordering::Relaxed) {
                done.store(true, Ordering::Relaxed);
                return Ok(true);
            }
            let Some(cells) = count.cells(guess, &mut Vec::new()) else {
                return Ok(false);
            };
            match self.try_one(guess, &cells, low, so_far, None, patient)? {
                None => busy.lock().expect("no thread panics in here").push(guess),
                Some(enough) => {
                    done.fetch_or(enough, Ordering::Relaxed);
                }
            }
            Ok(false)
        };
        let next = || {
            some.get(taken.fetch_add(1, Ordering::Relaxed))
                .map(|some| some.1)
        };
        let put_off = || busy.lock().expect("no thread panics in here").pop();
        let work = || {
            let first = std::iter::from_fn(next).map(|guess| (guess, false));
            let then = std::iter::from_fn(put_off).map(|guess| (guess, true));
            for (guess, patient) in first.chain(then) {
                match try_one(guess, patient) {
                    Ok(false) => {}
                    Ok(true) => return,
                    Err(Stopped) => {
                        stopped.store(true, Ordering::Relaxed);
                        return;
                    }
                }
            }
        };
        rayon::scope(|scope| {
            for _ in 1..self.search.threads.min(some.len()) {
                scope.spawn(|_| work());
            }
            work();
        });
        if stopped.into_inner() {
            return Err(Stopped);
        }
        Ok(done.into_inner())
    }

    /// Tries a guess; `true` if what is found cannot be bettered. None if another thread is solving one of its
    /// cells, and that is not waited for.
    fn try_one(
        &self,
        guess: Id,
        cells: &Cells,
        low: u32,
        so_far: &SoFar,
        floor: Option<(&Floor<'_>, u32)>,
        patient: bool,
    ) -> Result<Option<bool>, Stopped> {
        let search = self.search;
        let budget = so_far.budget.load(Ordering::Relaxed);
        let count = self.set.len();
        let Some(cost) = search.of_cells(count, cells, self.cap, budget, floor, patient)? else {
            return Ok(None);
        };
        if cost.total >= budget {
            so_far.refuted.fetch_min(cost.total, Ordering::Relaxed);
            return Ok(Some(false));
        }
        let mut best = so_far.best.lock().expect("no thread panics in here");
        // Another thread may have found a better one meanwhile.
        if best.is_none_or(|(best, _)| cost.total < best.total) {
            *best = Some((cost, guess));
            so_far.budget.fetch_min(cost.total, Ordering::Relaxed);
            if matches!(self.floor, Some(Floor::First(_))) {
                *search.first.lock().expect("no thread panics in here") = Some(guess);
            }
        }
        Ok(Some(cost.total <= low || search.want == Want::Any))
    }
}
