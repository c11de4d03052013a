//! The guesses of a set, level by level: those first that may cost least.

use std::cell::OnceCell;
use std::cmp::Ordering;

use rayon::prelude::*;

use super::automorphisms::Automorphisms;
use super::bounds::IMPOSSIBLE;
use super::cells::Count;
use super::guesses::Bag;
use super::memo::Cost;
use super::space::Id;
use super::state::Node;

/// Fewer guesses are tried sooner than symmetries are found.
const WORTHWHILE: usize = 4;

/// A guess that may be tried.
#[derive(Clone, Copy)]
pub(super) struct Guess {
    /// It costs no less.
    pub(super) level: u32,
    usual: f32,
    pub(super) id: Id,
}

impl Guess {
    fn by_usual(&self, other: &Self) -> Ordering {
        self.usual
            .total_cmp(&other.usual)
            .then(self.id.cmp(&other.id))
    }
}

/// The guesses of a set, brought forth level by level: those first that may cost least.
pub(super) struct Levels<'a, C> {
    node: &'a Node<'a>,
    count: &'a C,
    bag_costs: Vec<u32>,
    /// Guesses of bags that were looked into, and what they cost at least.
    pending: Vec<(u32, Id)>,
    /// No guess that is still to come costs less.
    pub(super) level: u32,
    /// What guesses cost at least that were left out because they are above the budget.
    left_out: u32,
    /// Symmetries of the set, made at first use.
    automorphisms: OnceCell<Automorphisms>,
}

impl<'a, C: Count> Levels<'a, C> {
    pub(super) fn new(node: &'a Node<'a>, count: &'a C) -> Self {
        let bag_costs = match node.search.without.bags {
            true => vec![0; node.guesses.bags.len()],
            false => count.bag_costs(),
        };
        Self {
            node,
            count,
            level: bag_costs.iter().copied().min().unwrap_or(IMPOSSIBLE),
            bag_costs,
            pending: Vec::new(),
            left_out: IMPOSSIBLE,
            automorphisms: OnceCell::new(),
        }
    }

    /// The guesses of this level, those first that usually cost least, and on to the next; or else a guess that
    /// cannot be bettered.
    pub(super) fn next(&mut self, budget: u32) -> Result<Vec<Guess>, (Cost, Id)> {
        if let Some(best) = self.look_into_bags(budget) {
            return Err(best);
        }
        let level = self.level;
        let mut some = Vec::new();
        let mut above = self.above();
        self.pending.retain(|&(cost, id)| {
            match cost == level {
                true => some.push(Guess {
                    level,
                    usual: 0.0,
                    id,
                }),
                false => above = above.min(cost),
            }
            cost != level
        });
        self.level = above;
        self.drop_symmetric(&mut some);
        if some.len() > 1 {
            some.iter_mut()
                .for_each(|guess| guess.usual = self.count.usual(guess.id));
            some.sort_unstable_by(Guess::by_usual);
        }
        Ok(some)
    }

    /// Of the guesses that may cost least as far as the sizes of their cells tell, or little more, up to `width` that
    /// usually cost least; or else a guess that cannot be bettered. Their levels are 0: they are in another order.
    pub(super) fn usual(&mut self, budget: u32, width: usize) -> Result<Vec<Guess>, (Cost, Id)> {
        let (mut some, mut end) = (Vec::new(), budget);
        while self.level < end {
            let level = self.level;
            some.extend(self.next(budget)?);
            if !some.is_empty() {
                end = end.min(level + level / 16 + 1);
            }
        }
        for guess in &mut some {
            (guess.level, guess.usual) = (0, self.count.usual(guess.id));
        }
        some.sort_unstable_by(Guess::by_usual);
        some.truncate(width);
        Ok(some)
    }

    /// The least level at which a guess may be; it is `budget` or more if no guess costs less.
    pub(super) fn first(mut self, budget: u32) -> u32 {
        while self.level < budget {
            if let Some((cost, _)) = self.look_into_bags(budget) {
                return cost.total;
            }
            let above = self.above();
            match self.pending.iter().map(|&(cost, _)| cost).min() {
                Some(least) if least <= above => return least,
                _ => self.level = above,
            }
        }
        self.level
    }

    /// What guesses cost at least that are in bags which were not looked into, or were left out.
    fn above(&self) -> u32 {
        let bags = self.bag_costs.iter().copied();
        let above = bags.filter(|&cost| cost > self.level).min();
        above.unwrap_or(IMPOSSIBLE).min(self.left_out)
    }

    /// Leaves one of the guesses that symmetries of the set take into each other. They have cells of the same sizes,
    /// and so all are on one level.
    fn drop_symmetric(&self, some: &mut Vec<Guess>) {
        let Node {
            search,
            set,
            names,
            guesses,
            ..
        } = *self.node;
        if some.len() < WORTHWHILE || set.len() < 16 || search.without.symmetries {
            return;
        }
        let made = || Automorphisms::new(search.space, set, names, guesses);
        let automorphisms = self.automorphisms.get_or_init(made);
        some.retain(|guess| !automorphisms.make_smaller(search.space, guesses, guess.id));
    }

    /// Guesses cost no less than their bags, so with these are all found that may be on this level.
    fn look_into_bags(&mut self, budget: u32) -> Option<(Cost, Id)> {
        let (node, level) = (self.node, self.level);
        let bags = node.guesses.bags.iter().zip(&self.bag_costs);
        let bags = bags.filter(|(_, bag_cost)| **bag_cost == level);
        let bags: Vec<&Bag> = bags.map(|(bag, _)| bag).collect();
        let start = self.pending.len();
        if node.is_shared() {
            let bag_cost = |bag: &&Bag| {
                let mut costs = Vec::new();
                let others = self.count.guess_costs(bag, budget, &mut costs);
                (costs, others)
            };
            let all: Vec<_> = bags.par_iter().map(bag_cost).collect();
            for (costs, others) in all {
                self.pending.extend(costs);
                self.left_out = self.left_out.min(others.max(level));
            }
        } else {
            // Nothing costs less than twice the candidates, so the first such guess ends it.
            let twice = 2 * node.set.len() as u32;
            let ends = node.search.may_be_split(node.set.len()) && node.cap >= 3;
            for bag in bags {
                let start = self.pending.len();
                let others = self.count.guess_costs(bag, budget, &mut self.pending);
                self.left_out = self.left_out.min(others.max(level));
                let best = self.pending[start..]
                    .iter()
                    .find(|(cost, _)| *cost == twice);
                if let Some(&(_, guess)) = best.filter(|_| ends) {
                    // A candidate leaves one pair, another guess single candidates only.
                    let is_candidate = node.set.binary_search(&guess).is_ok();
                    let worst = if is_candidate { 3 } else { 2 };
                    return Some((
                        Cost {
                            total: twice,
                            worst,
                        },
                        guess,
                    ));
                }
            }
        }
        for (cost, _) in &mut self.pending[start..] {
            *cost = (*cost).max(level);
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use tester::problem::rng::{CaseRng, Seed};

    use super::super::bounds::ANY;
    use super::super::cells::{Cells, Few, Many};
    use super::super::memo::Want;
    use super::super::options::Options;
    use super::super::space::Space;
    use super::super::state::Search;
    use super::*;
    use crate::game::codes;

    /// Of all guesses, what the sizes of their cells tell: the slow way.
    fn least_by_sizes(search: &Search<'_>, set: &[Id]) -> u32 {
        let bound = |cell: &[Id]| search.bounds.least(cell.len(), ANY);
        let cost = |guess| {
            let cells = Cells::new(search.space, set, guess);
            set.len() as u32 + cells.by_size().map(bound).sum::<u32>()
        };
        (0..search.space.len() as Id).map(cost).min().unwrap()
    }

    #[test]
    fn the_first_level_is_the_least_that_the_sizes_of_cells_tell() {
        let (never, mut draw) = (AtomicBool::new(false), CaseRng::new(Seed(3)));
        let mut seen = 0;
        for game in ["hitblow 3 8", "mastermind 3 6", "hitblow 5 6"] {
            let space = Space::new(&codes(game).unwrap());
            let search = Search::new(&space, Want::Least, &Options::default(), &never);
            let mut all: Vec<Id> = (0..space.len() as Id).collect();
            for size in (3..200).step_by(3) {
                draw.shuffle(&mut all);
                let mut set = all[..size].to_vec();
                set.sort_unstable();
                let least = least_by_sizes(&search, &set);
                // Such sets are known at a glance.
                if search.may_be_split(size) && least < 2 * size as u32 {
                    continue;
                }
                let form = search.form(&set);
                let guesses = search.guesses(&form);
                let node = search.node(&form, &guesses, ANY);
                let first = |budget| match search.fits_into_words(&form.set) {
                    true => Levels::new(&node, &Few::new(&node)).first(budget),
                    false => Levels::new(&node, &Many::new(&node)).first(budget),
                };
                assert_eq!(first(IMPOSSIBLE), least, "{game} {set:?}");
                assert_eq!(first(least + 1), least, "{game} {set:?}");
                for budget in [least - 3, least] {
                    let found = first(budget);
                    assert!((budget..=least).contains(&found), "{game} {budget} {found}");
                }
                seen += 1;
            }
        }
        assert!(seen > 100, "{seen}");
    }
}
