//! The least cost of a set of candidates, by trying every guess that bounds do not rule out.
//!
//! The cost of a set is the sum of its candidates' turns. A guess costs one turn for each candidate, and then
//! what its cells cost; the winning one costs nothing more. `docs/optimal.md` explains why the result is the
//! least.

use std::sync::atomic::Ordering;

use super::bound_progress::BoundProgress;
use super::bounds::{ANY, Cap, IMPOSSIBLE, next};
use super::candidates::best_candidate;
use super::cells::{Cells, Few, Many};
use super::levels::Levels;
use super::memo::{Cost, Known, Want, work_of};
use super::space::Id;
use super::state::{Node, Search, Stopped};
use super::symmetry::Form;

/// Smaller sets are solved almost as soon as their first level is found.
const LARGE: usize = 12;

/// What is known of a set at little cost.
enum Look {
    Known(Cost),
    Open(Box<Open>),
}

/// A set for which guesses have to be tried.
struct Open {
    form: Form,
    /// It costs no less.
    low: u32,
    /// It costs no less without a cap.
    uncapped: u32,
    /// Whether that is its least cost without a cap.
    exact: bool,
    /// Whether nothing is remembered of it.
    new: bool,
}

/// A bound that was reached stands for a cost.
fn at_least(total: u32) -> Cost {
    Cost { total, worst: 0 }
}

/// How much more than its bound a set costs. Optimised programs check it, too: where it costs less, the bound or the cost
/// is false, and with it whatever is proved.
fn above(low: u32, cost: Cost) -> u32 {
    let more = cost.total.checked_sub(low);
    more.expect("a set costs no less than its bound")
}

impl Search<'_> {
    /// What a set costs at least without a cap, as far as that is known.
    pub(super) fn known_bound(&self, set: &[Id]) -> u32 {
        match self.at_a_glance(set, ANY) {
            Glance::Exact(cost) => cost.total,
            Glance::AtLeast(low) => match self.look(set, ANY, low) {
                Look::Known(cost) => cost.total,
                Look::Open(open) => open.low,
            },
        }
    }

    /// The least cost of a set within the cap, if that is below `budget`; else a lower bound on it that is not
    /// below `budget`. [`IMPOSSIBLE`] if the cap is too low.
    pub(super) fn least(&self, set: &[Id], cap: Cap, budget: u32) -> Result<Cost, Stopped> {
        self.least_from(set, cap, budget, None)
    }

    /// The same; reports lower bounds when it finds them.
    pub(super) fn least_from(
        &self,
        set: &[Id],
        cap: Cap,
        budget: u32,
        progress: Option<&BoundProgress<'_>>,
    ) -> Result<Cost, Stopped> {
        match self.at_a_glance(set, cap) {
            Glance::Exact(cost) => Ok(cost),
            Glance::AtLeast(low) if low >= budget => Ok(at_least(low)),
            Glance::AtLeast(low) => match self.look(set, cap, low) {
                Look::Known(cost) => Ok(cost),
                Look::Open(open) if open.low >= budget => Ok(at_least(open.low)),
                Look::Open(open) => self.expand(&open, cap, budget, progress),
            },
        }
    }

    /// What the number of candidates, and the answers between them, tell.
    fn at_a_glance(&self, set: &[Id], cap: Cap) -> Glance {
        let count = set.len() as u32;
        let low = self.bounds.least(set.len(), cap);
        if count <= 2 || low >= IMPOSSIBLE {
            let worst = count as Cap;
            return Glance::Exact(Cost { total: low, worst });
        }
        // A set that large is split by no guess nearly completely.
        if !self.may_be_split(set.len()) {
            return Glance::AtLeast(low);
        }
        match best_candidate(self.space, set) {
            (0, _) if cap >= 2 => Glance::Exact(Cost {
                total: 2 * count - 1,
                worst: 2,
            }),
            // One pair is left, or of three candidates two.
            (1, _) if cap >= 3 => Glance::Exact(Cost {
                total: 2 * count,
                worst: 3,
            }),
            // Every candidate leaves more than one pair, or three: another guess costs 2n at least.
            _ => Glance::AtLeast(low.max(2 * count)),
        }
    }

    /// What is remembered.
    fn look(&self, set: &[Id], cap: Cap, low: u32) -> Look {
        self.look_up(self.form(set), cap, low)
    }

    fn look_up(&self, form: Form, cap: Cap, low: u32) -> Look {
        let (mut low, mut exact, mut new) = (low, false, true);
        let mut uncapped = match cap {
            ANY => low,
            _ => self.bounds.least(form.set.len(), ANY),
        };
        for cap_then in [ANY, cap] {
            if self.without.memo {
                break;
            }
            let known = self.memo.get(form.hash, &form.set, cap_then);
            new &= known.is_none();
            match known {
                Some(Known::Exact(cost, _)) if cost.worst <= cap => return Look::Known(cost),
                Some(Known::AtLeast(IMPOSSIBLE)) => return Look::Known(at_least(IMPOSSIBLE)),
                // What is known without a cap is a lower bound with one.
                Some(Known::Exact(Cost { total, .. }, _)) => {
                    (low, uncapped, exact) = (low.max(total), total, true);
                }
                Some(Known::AtLeast(total)) => {
                    low = low.max(total);
                    if cap_then == ANY {
                        uncapped = uncapped.max(total);
                    }
                }
                None => {}
            }
            if cap == ANY {
                break;
            }
        }
        Look::Open(Box::new(Open {
            form,
            low,
            uncapped,
            exact,
            new,
        }))
    }

    /// Tries guesses, unless another thread just does so: then what that finds is waited for.
    fn expand_once(
        &self,
        open: Box<Open>,
        cap: Cap,
        budget: u32,
        progress: Option<&BoundProgress<'_>>,
        patient: bool,
    ) -> Result<Option<Cost>, Stopped> {
        let mut open = open;
        let mut claim = self.in_flight.claim(open.form.hash, cap);
        if claim.is_none() {
            if !patient {
                return Ok(None);
            }
            self.in_flight.wait(open.form.hash, cap);
            match self.look_up(open.form, cap, open.low) {
                Look::Known(cost) => return Ok(Some(cost)),
                Look::Open(now) if now.low >= budget => return Ok(Some(at_least(now.low))),
                Look::Open(now) => open = now,
            }
            claim = self.in_flight.claim(open.form.hash, cap);
        }
        let cost = self.expand(&open, cap, budget, progress)?;
        drop(claim);
        Ok(Some(cost))
    }

    /// Tries guesses, and remembers what was found.
    fn expand(
        &self,
        open: &Open,
        cap: Cap,
        budget: u32,
        progress: Option<&BoundProgress<'_>>,
    ) -> Result<Cost, Stopped> {
        let mut low = open.low;
        if cap != ANY && self.want == Want::Least && !open.exact {
            // Most strategies that cost least without a cap keep it, and the others are a bound.
            let cost = self.expand_within(open, ANY, open.uncapped, budget, None)?;
            if cost.total >= budget || cost.worst <= cap {
                return Ok(cost);
            }
            low = low.max(cost.total);
        }
        self.expand_within(open, cap, low, budget, progress)
    }

    fn expand_within(
        &self,
        open: &Open,
        cap: Cap,
        low: u32,
        budget: u32,
        progress: Option<&BoundProgress<'_>>,
    ) -> Result<Cost, Stopped> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        let before = self.nodes.fetch_add(1, Ordering::Relaxed);
        let set = &open.form.set;
        let guesses = self.guesses(&open.form);
        let node = Node {
            progress,
            ..self.node(&open.form, &guesses, cap)
        };
        let best = match self.fits_into_words(set) {
            true => node.try_all(&Few::new(&node), low, budget)?,
            false => node.try_all(&Many::new(&node), low, budget)?,
        };
        let known = match best {
            Ok((cost, guess)) => Known::Exact(cost, guess),
            Err(low) => Known::AtLeast(low),
        };
        let work = work_of(self.nodes() - before);
        self.memo.put(open.form.hash, set, cap, known, work);
        Ok(best.map_or_else(at_least, |(cost, _)| cost))
    }

    /// The cost of going on with a guess that leaves these cells, if below `budget`; else a bound that is not.
    pub(super) fn cost_of_cells(
        &self,
        count: usize,
        cells: &Cells,
        cap: Cap,
        budget: u32,
        progress: Option<(&BoundProgress<'_>, u32)>,
        patient: bool,
    ) -> Result<Option<Cost>, Stopped> {
        let cap = next(cap);
        let mut total = count as u32;
        for cell in cells.by_size() {
            if cell.len() == count {
                return Ok(Some(at_least(IMPOSSIBLE))); // it tells nothing, and would be guessed without end
            }
            total += self.bounds.least(cell.len(), cap);
        }
        if self.without.looks {
            return self.cost_one_by_one(cells, cap, total, budget).map(Some);
        }
        let mut worst = 1;
        // First what is known of each at a glance, then what is remembered, and only then is anything tried.
        let mut unknown = Vec::new();
        for cell in cells.by_size() {
            if total >= budget {
                return Ok(Some(at_least(total.min(IMPOSSIBLE))));
            }
            let bound = self.bounds.least(cell.len(), cap);
            match self.at_a_glance(cell, cap) {
                Glance::Exact(cost) => {
                    total += cost.total - bound;
                    worst = worst.max(1 + cost.worst);
                }
                Glance::AtLeast(low) => {
                    total += low - bound;
                    unknown.push((cell, low));
                }
            }
        }
        let mut open = Vec::new();
        for (cell, low) in unknown {
            if total >= budget {
                return Ok(Some(at_least(total.min(IMPOSSIBLE))));
            }
            match self.look(cell, cap, low) {
                Look::Known(cost) => {
                    total += cost.total - low;
                    worst = worst.max(1 + cost.worst);
                }
                Look::Open(look) => {
                    total += look.low - low;
                    open.push(look);
                }
            }
        }
        total = self.raise_to_first_levels(&mut open, cap, total, budget);
        // The smallest first: they cost little to solve, and leave less to the others. But where only the cap
        // counts, it is the largest that fails.
        if self.want == Want::Any {
            open.reverse();
        }
        for look in open {
            if total >= budget {
                break;
            }
            let progress = progress.map(|(progress, limit)| {
                progress.raise(total.min(limit));
                BoundProgress::Cell(progress, total - look.low, limit)
            });
            let low = look.low;
            let left = budget - (total - low);
            let Some(cost) = self.expand_once(look, cap, left, progress.as_ref(), patient)? else {
                return Ok(None);
            };
            total += above(low, cost);
            worst = worst.max(1 + cost.worst);
        }
        let total = total.min(IMPOSSIBLE);
        Ok(Some(Cost { total, worst }))
    }

    /// Raises the bounds of sets of which nothing is remembered until all bounds, which are `total` now, reach the budget:
    /// no set costs less than the sizes of the best guess's cells tell. Returns the new `total`.
    fn raise_to_first_levels(
        &self,
        open: &mut [Box<Open>],
        cap: Cap,
        mut total: u32,
        budget: u32,
    ) -> u32 {
        // A single set is tried at once.
        if open.len() < 2 || self.without.levels {
            return total;
        }
        let new = |open: &&mut Box<Open>| open.new && open.form.set.len() >= LARGE;
        for open in open.iter_mut().filter(new) {
            if total >= budget {
                break;
            }
            let low = open.low;
            open.low = low.max(self.first_level(open, cap, budget - (total - low)));
            total += open.low - low;
        }
        total
    }

    /// What a set costs at least, as far as the sizes of the cells of every guess tell; if that is not below `budget`,
    /// perhaps something less that is not, either.
    fn first_level(&self, open: &Open, cap: Cap, budget: u32) -> u32 {
        self.nodes.fetch_add(1, Ordering::Relaxed);
        let set = &open.form.set;
        let guesses = self.guesses(&open.form);
        let node = self.node(&open.form, &guesses, cap);
        let level = match self.fits_into_words(set) {
            true => Levels::new(&node, &Few::new(&node)).first(budget),
            false => Levels::new(&node, &Many::new(&node)).first(budget),
        };
        let known = Known::AtLeast(level);
        self.memo.put(open.form.hash, set, cap, known, work_of(1));
        level
    }

    /// The same without a look at all cells first; `total` has the bound of each.
    fn cost_one_by_one(
        &self,
        cells: &Cells,
        cap: Cap,
        mut total: u32,
        budget: u32,
    ) -> Result<Cost, Stopped> {
        let mut worst = 1;
        for cell in cells.by_size() {
            if total >= budget {
                break;
            }
            let bound = self.bounds.least(cell.len(), cap);
            let cost = self.least(cell, cap, budget - (total - bound))?;
            total += cost.total - bound;
            worst = worst.max(1 + cost.worst);
        }
        let total = total.min(IMPOSSIBLE);
        Ok(Cost { total, worst })
    }
}

/// What is known at a glance.
enum Glance {
    Exact(Cost),
    AtLeast(u32),
}
