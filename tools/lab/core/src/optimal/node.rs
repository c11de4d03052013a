//! A set whose guesses are tried, level by level: those first that may cost least.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use super::bound_progress::BoundProgress;
use super::bounds::IMPOSSIBLE;
use super::cells::{Cells, Count};
use super::levels::{Guess, Levels};
use super::memo::{Cost, Want};
use super::space::Id;
use super::state::{Node, Stopped};

impl Node<'_> {
    /// Tries guesses, those first that may cost least. The least cost with a guess that attains it, if it is
    /// below `budget`; else a lower bound.
    pub(super) fn try_all(
        &self,
        count: &impl Count,
        low: u32,
        budget: u32,
    ) -> Result<Result<(Cost, Id), u32>, Stopped> {
        let mut levels = Levels::new(self, count);
        if let Some(width) = self.search.width.filter(|_| self.set.len() > SMALL) {
            return match levels.usual(budget, width) {
                Ok(some) => self.try_only(count, &some, low, budget),
                Err(best) => Ok(Ok(best)),
            };
        }
        let mut tried = Vec::new();
        let so_far = SoFar::new(budget);
        // Threads that wait for each other at the end of every level mostly wait.
        let enough = match self.is_shared() {
            true => 16 * self.search.threads,
            false => 1,
        };
        while levels.level < so_far.budget() {
            let mut some = Vec::new();
            while some.len() < enough && levels.level < so_far.budget() {
                match levels.next(so_far.budget()) {
                    Ok(more) => some.extend(more),
                    Err(best) => return Ok(Ok(best)),
                }
            }
            if self.try_some(count, &some, levels.level, low, &so_far, &mut tried)? {
                break;
            }
        }
        // What was not tried costs `level` at least, and what was, `refuted`.
        let refuted = so_far.refuted.into_inner().min(levels.level);
        let best = so_far.best.into_inner().expect("no thread panics in here");
        Ok(best.ok_or(refuted.max(low)))
    }

    /// The same for a narrow search, which tries no other guesses: what it finds is a strategy, and proves nothing.
    fn try_only(
        &self,
        count: &impl Count,
        some: &[Guess],
        low: u32,
        budget: u32,
    ) -> Result<Result<(Cost, Id), u32>, Stopped> {
        let so_far = SoFar::new(budget);
        self.try_some(count, some, IMPOSSIBLE, low, &so_far, &mut Vec::new())?;
        let best = so_far.best.into_inner().expect("no thread panics in here");
        Ok(best.ok_or(budget.max(low)))
    }
}

/// A narrow search tries all guesses of sets that are not larger: that takes little time.
const SMALL: usize = 12;

impl Node<'_> {
    /// Of the guesses that may cost least as far as the sizes of their cells tell, the one that usually does.
    pub(super) fn usually_best(&self, count: &impl Count) -> Id {
        match Levels::new(self, count).usual(IMPOSSIBLE, 1) {
            Ok(some) => some.first().expect("there is always a guess").id,
            Err((_, guess)) => guess,
        }
    }
}

/// What trying guesses has given so far.
struct SoFar {
    best: Mutex<Option<(Cost, Id)>>,
    /// What costs as much need not be known.
    budget: AtomicU32,
    /// The least that a guess costs which was given up.
    refuted: AtomicU32,
}

impl SoFar {
    fn new(budget: u32) -> Self {
        Self {
            best: Mutex::new(None),
            budget: AtomicU32::new(budget),
            refuted: AtomicU32::new(IMPOSSIBLE),
        }
    }

    fn budget(&self) -> u32 {
        self.budget.load(Ordering::Relaxed)
    }
}

impl Node<'_> {
    /// Tries some guesses; `true` if what is found cannot be bettered. All others cost `above` at least.
    fn try_some(
        &self,
        count: &impl Count,
        some: &[Guess],
        above: u32,
        low: u32,
        so_far: &SoFar,
        tried: &mut Vec<u64>,
    ) -> Result<bool, Stopped> {
        if self.is_shared() && some.len() > 1 {
            return self.try_some_at_once(count, some, low, so_far);
        }
        for guess in some {
            let progress = self.progress.map(|progress| {
                // What is tried now and what was not tried yet: the former only if it is alone.
                let untried = if some.len() > 1 { guess.level } else { above };
                let refuted = so_far.refuted.load(Ordering::Relaxed);
                progress.raise(guess.level.min(so_far.budget()).min(refuted));
                (progress, untried.min(so_far.budget()).min(refuted))
            });
            let Some(cells) = count.cells(guess.id, tried) else {
                continue;
            };
            let enough = self.try_one(guess.id, &cells, low, so_far, progress, true)?;
            if enough == Some(true) || guess.level >= so_far.budget() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The same by several threads. `true` only if a guess is found that cannot be bettered: that all others cost too
    /// much is for the caller to see.
    fn try_some_at_once(
        &self,
        count: &impl Count,
        some: &[Guess],
        low: u32,
        so_far: &SoFar,
    ) -> Result<bool, Stopped> {
        if let Some(progress) = self.progress {
            let level = some[0].level.min(so_far.budget());
            progress.raise(level.min(so_far.refuted.load(Ordering::Relaxed)));
        }
        let (done, stopped) = (AtomicBool::new(false), AtomicBool::new(false));
        let (taken, busy) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        // True if there is nothing more to do.
        let try_one = |guess: Guess, patient: bool| -> Result<bool, Stopped> {
            if done.load(Ordering::Relaxed) {
                return Ok(true);
            }
            // It costs too much, and so do those after it. But guesses of lower levels may still be taken by another
            // thread, or be put off: they have to be tried.
            if guess.level >= so_far.budget() {
                return Ok(false);
            }
            let Some(cells) = count.cells(guess.id, &mut Vec::new()) else {
                return Ok(false);
            };
            match self.try_one(guess.id, &cells, low, so_far, None, patient)? {
                None => busy.lock().expect("no thread panics in here").push(guess),
                Some(enough) => {
                    done.fetch_or(enough, Ordering::Relaxed);
                }
            }
            Ok(false)
        };
        let next = || some.get(taken.fetch_add(1, Ordering::Relaxed)).copied();
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
        progress: Option<(&BoundProgress<'_>, u32)>,
        patient: bool,
    ) -> Result<Option<bool>, Stopped> {
        let search = self.search;
        let budget = so_far.budget();
        let count = self.set.len();
        let Some(cost) = search.cost_of_cells(count, cells, self.cap, budget, progress, patient)?
        else {
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
            if matches!(self.progress, Some(BoundProgress::Root(_))) {
                *search.first.lock().expect("no thread panics in here") = Some(guess);
            }
        }
        Ok(Some(cost.total <= low || search.want == Want::Any))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::super::bounds::ANY;
    use super::super::memo::Known;
    use super::super::options::Options;
    use super::super::space::Space;
    use super::super::state::{SHARED, Search};
    use super::*;
    use crate::game::codes;

    /// Every cell of the best guess is claimed, so that guess is put off until all others of its levels were tried.
    #[test]
    fn a_guess_that_is_put_off_is_tried_all_the_same() {
        let space = Space::new(&codes("hitblow 3 8").unwrap());
        let never = AtomicBool::new(false);
        let search = |threads| {
            let options = Options {
                threads,
                ..Options::default()
            };
            Search::new(&space, Want::Least, &options, &never)
        };
        // One thread does the work of two, so that the order is always the same.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
        let pool = pool.build().unwrap();
        let all: Vec<Id> = (0..space.len() as Id).collect();
        let mut shared = 0;
        for cell in Cells::new(&space, &all, 0).by_size() {
            let (alone, two) = (search(1), search(2));
            let least = alone.least(cell, ANY, IMPOSSIBLE).unwrap();
            let form = alone.form(cell);
            let known = alone.memo.get(form.hash, &form.set, ANY);
            let Some(Known::Exact(_, best)) = known.filter(|_| cell.len() > SHARED) else {
                continue;
            };
            shared += 1;
            let cells = Cells::new(&space, &form.set, best);
            let claim = |cell| two.in_flight.claim(two.form(cell).hash, ANY);
            let _claims: Vec<_> = cells.by_size().map(claim).collect();
            let found = pool.install(|| two.least(cell, ANY, IMPOSSIBLE)).unwrap();
            assert_eq!(found.total, least.total, "{} candidates", cell.len());
        }
        assert!(shared > 0);
    }
}
