//! The least cost of a set of candidates, by trying every guess that bounds do not rule out.
//!
//! The cost of a set is the sum of its candidates' turns. A guess costs one turn for each candidate, and then
//! what its cells cost; the winning one costs nothing more. `docs/optimal.md` tells why what is found is the
//! least.

use super::bounds::{ANY, Bounds, Cap, IMPOSSIBLE, next};
use super::cells::{self, least_costs};
use super::memo::{Known, Memo};
use super::space::{Id, Space};
use super::symmetry::{Guesses, Names};

/// What is wanted of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// The least cost.
    Least,
    /// Any cost at all within the cap.
    Any,
}

/// A search, with everything that it has found out.
pub(super) struct Search<'a> {
    space: &'a Space,
    want: Want,
    bounds: Bounds,
    memo: Memo,
    guesses: Guesses,
    /// By number of candidates: what they usually cost, to try good guesses first.
    usual: Vec<f32>,
    /// Sets for which guesses were tried.
    pub(super) nodes: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(space: &'a Space, want: Want) -> Self {
        // An answer tells about as much as if so many were equally likely.
        let told = (space.answers() as f32 * 0.42).max(1.5).ln();
        let usual = |count: usize| match count {
            0 => 0.0,
            _ => count as f32 * (1.0 + (count as f32).ln() / told),
        };
        Self {
            space,
            want,
            bounds: Bounds::new(space.len(), space.win()),
            memo: Memo::new(),
            guesses: Guesses::new(space),
            usual: (0..=space.len()).map(usual).collect(),
            nodes: 0,
        }
    }

    /// How many sets are remembered.
    pub(super) fn sets(&self) -> usize {
        self.memo.len()
    }

    /// The least cost of a set within the cap, if that is below `budget`; else a lower bound on it that is not
    /// below `budget`. [`IMPOSSIBLE`] if the cap is too low.
    pub(super) fn least(&mut self, set: &[Id], cap: Cap, budget: u32) -> u32 {
        let count = set.len() as u32;
        let floor = self.bounds.least(set.len(), cap);
        if count <= 2 || floor >= budget {
            return floor;
        }
        let mut floor = floor;
        // A set that large is split by no guess nearly completely.
        if set.len() <= self.space.answers() + 8 {
            match self.with_a_candidate(set, cap) {
                Some(cost) => return cost,
                // Every candidate leaves more than one pair, or three: another guess costs 2n at least.
                None => floor = floor.max(2 * count),
            }
            if floor >= budget {
                return floor;
            }
        }
        let names = Names::of(self.space, set);
        let (form, hash) = names.apply(self.space, set);
        // What is known without a cap is a lower bound with one.
        if let Some(Known::Exact(cost) | Known::AtLeast(cost)) = self.memo.get(hash, &form, ANY) {
            floor = floor.max(cost);
        }
        match self.memo.get(hash, &form, cap) {
            Some(Known::Exact(cost)) => return cost,
            Some(Known::AtLeast(cost)) => floor = floor.max(cost),
            None => {}
        }
        if floor >= budget {
            return floor;
        }
        let guesses = self.guesses.of(self.space, set, &names);
        let cost = self.try_all(set, &guesses, cap, floor, budget);
        let known = match cost < budget {
            true => Known::Exact(cost),
            false => Known::AtLeast(cost),
        };
        self.memo.put(hash, &form, cap, known);
        cost
    }

    /// The cost where a candidate tells all others apart (2n − 1), or all but two (2n): nothing else costs
    /// less.
    fn with_a_candidate(&self, set: &[Id], cap: Cap) -> Option<u32> {
        let mut all_but_two = false;
        for &guess in set {
            let row = self.space.row(guess);
            let (mut seen, mut pairs) = (0_u64, 0);
            for &id in set {
                let answer = 1 << row[usize::from(id)];
                pairs += u32::from(seen & answer != 0);
                seen |= answer;
                if pairs > 1 {
                    break;
                }
            }
            if pairs == 0 {
                return (cap >= 2).then_some(2 * set.len() as u32 - 1);
            }
            all_but_two |= pairs == 1;
        }
        (all_but_two && cap >= 3).then_some(2 * set.len() as u32)
    }

    /// Tries guesses, those first that may cost least.
    fn try_all(&mut self, set: &[Id], guesses: &[Id], cap: Cap, floor: u32, budget: u32) -> u32 {
        self.nodes += 1;
        let enough =
            (set.len() <= self.space.answers() + 8 && cap >= 3).then_some(2 * set.len() as u32);
        let costs = self.bounds_of(set, guesses, cap, enough);
        let mut level = costs.iter().copied().min().unwrap_or(IMPOSSIBLE);
        if Some(level) == enough {
            return level;
        }
        let floor = floor.max(level);
        let (mut best, mut budget, mut refuted) = (IMPOSSIBLE, budget, IMPOSSIBLE);
        let mut tried = Vec::new();
        'levels: while level < budget {
            for guess in self.in_order(set, guesses, &costs, level) {
                if self.is_repeated(set, guess, &mut tried) {
                    continue;
                }
                let cost = self.try_one(set, guess, cap, budget);
                if cost >= budget {
                    refuted = refuted.min(cost);
                    continue;
                }
                (best, budget) = (cost, cost);
                if best <= floor || self.want == Want::Any {
                    break 'levels;
                }
                if level >= budget {
                    break;
                }
            }
            level = above(&costs, level);
        }
        match best {
            // What was not tried costs `level` at least, and what was, `refuted`.
            IMPOSSIBLE => refuted.min(level).max(floor),
            best => best,
        }
    }

    /// For each guess, the least that it costs as far as the sizes of its cells tell. May end early, with a
    /// guess that costs `enough`.
    fn bounds_of(&self, set: &[Id], guesses: &[Id], cap: Cap, enough: Option<u32>) -> Vec<u32> {
        if set.len() <= cells::MOST && cap == ANY {
            let costs = least_costs(self.space, set, guesses, enough);
            return costs.into_iter().map(u32::from).collect();
        }
        let table = self.bounds.table(next(cap));
        let of = |&guess: &Id| {
            let sizes = self.sizes(set, guess);
            let others = &sizes[..self.space.win()];
            let sum = others
                .iter()
                .map(|&size| table[usize::from(size)])
                .sum::<u32>();
            (set.len() as u32 + sum).min(IMPOSSIBLE)
        };
        guesses.iter().map(of).collect()
    }

    /// How many candidates each answer leaves.
    fn sizes(&self, set: &[Id], guess: Id) -> [u16; 64] {
        let row = self.space.row(guess);
        let mut sizes = [0; 64];
        set.iter()
            .for_each(|&id| sizes[usize::from(row[usize::from(id)] % 64)] += 1);
        sizes
    }

    /// The guesses whose bound is `level`, those first that usually cost least.
    fn in_order(&self, set: &[Id], guesses: &[Id], costs: &[u32], level: u32) -> Vec<Id> {
        let on_level = guesses
            .iter()
            .zip(costs)
            .filter(|(_, cost)| **cost == level);
        let usual = |guess: Id| {
            let sizes = self.sizes(set, guess);
            let others = &sizes[..self.space.win()];
            others
                .iter()
                .map(|&size| self.usual[usize::from(size)])
                .sum()
        };
        let mut some: Vec<(f32, Id)> = on_level.map(|(&guess, _)| (usual(guess), guess)).collect();
        some.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        some.into_iter().map(|(_, guess)| guess).collect()
    }

    /// Whether a guess splits a small set just as one that was tried did.
    fn is_repeated(&self, set: &[Id], guess: Id, tried: &mut Vec<u64>) -> bool {
        if set.len() >= 16 {
            return false;
        }
        // Four bits for each candidate: the number of its cell, in order of appearance; 0 for the guess itself.
        let row = self.space.row(guess);
        let (mut numbers, mut used, mut split) = ([0_u64; 64], 0, 0);
        for &id in set {
            let answer = usize::from(row[usize::from(id)] % 64);
            if numbers[answer] == 0 && answer != self.space.win() {
                used += 1;
                numbers[answer] = used;
            }
            split = split << 4 | numbers[answer];
        }
        if tried.contains(&split) {
            return true;
        }
        tried.push(split);
        false
    }

    /// The cost of going on with a guess, if below `budget`; else a bound that is not.
    fn try_one(&mut self, set: &[Id], guess: Id, cap: Cap, budget: u32) -> u32 {
        let cells = Cells::new(self.space, set, guess);
        let cap = next(cap);
        let mut cost = set.len() as u32;
        for cell in cells.by_size() {
            if cell.len() == set.len() {
                return IMPOSSIBLE; // it tells nothing, and would be guessed for ever
            }
            cost += self.bounds.least(cell.len(), cap);
        }
        // The smallest first: they cost little to solve, and leave less to the others. But where only the cap
        // counts, it is the largest that fails.
        let mut cells: Vec<&[Id]> = cells.by_size().collect();
        if self.want == Want::Any {
            cells.reverse();
        }
        for cell in cells {
            if cost >= budget {
                break;
            }
            cost -= self.bounds.least(cell.len(), cap);
            cost += self.least(cell, cap, budget - cost);
        }
        cost.min(IMPOSSIBLE)
    }

    /// A guess with which a set costs no more than `cost` within the cap, which is known to exist.
    ///
    /// # Panics
    /// If it does not.
    pub(super) fn guess(&mut self, set: &[Id], cap: Cap, cost: u32) -> Id {
        if set.len() <= 2 {
            return set[0];
        }
        let names = Names::of(self.space, set);
        let guesses = self.guesses.of(self.space, set, &names);
        // Where two are equally good, one that may be right is better liked.
        let mut all: Vec<Id> = set.iter().chain(guesses.iter()).copied().collect();
        let costs = self.bounds_of(set, &all, cap, None);
        let mut costs = costs.into_iter();
        all.retain(|_| costs.next().is_some_and(|least| least <= cost));
        let found = all
            .into_iter()
            .find(|&guess| self.try_one(set, guess, cap, cost + 1) <= cost);
        found.expect("the cost was found with a guess")
    }
}

/// The next higher bound.
fn above(costs: &[u32], level: u32) -> u32 {
    let higher = costs.iter().copied().filter(|&cost| cost > level);
    higher.min().unwrap_or(IMPOSSIBLE)
}

/// The cells of a guess but the winning one, the smallest first.
pub(super) struct Cells {
    members: Vec<Id>,
    /// Answer, start and end.
    ranges: Vec<(u8, usize, usize)>,
}

impl Cells {
    pub(super) fn new(space: &Space, set: &[Id], guess: Id) -> Self {
        let row = space.row(guess);
        let mut starts = [0_usize; 65];
        for &id in set {
            starts[usize::from(row[usize::from(id)] % 64) + 1] += 1;
        }
        for answer in 0..64 {
            starts[answer + 1] += starts[answer];
        }
        let ranges =
            (0..space.win()).map(|answer| (answer as u8, starts[answer], starts[answer + 1]));
        let mut ranges: Vec<_> = ranges.filter(|(_, start, end)| start < end).collect();
        ranges.sort_by_key(|(_, start, end)| end - start);
        let mut members = vec![0; set.len()];
        for &id in set {
            let place = &mut starts[usize::from(row[usize::from(id)] % 64)];
            members[*place] = id;
            *place += 1;
        }
        Self { members, ranges }
    }

    fn by_size(&self) -> impl Iterator<Item = &[Id]> {
        self.ranges
            .iter()
            .map(|&(_, start, end)| &self.members[start..end])
    }

    /// With the number of the answer.
    pub(super) fn by_answer(&self) -> impl Iterator<Item = (u8, &[Id])> {
        let cell = |&(answer, start, end): &(u8, usize, usize)| (answer, &self.members[start..end]);
        self.ranges.iter().map(cell)
    }
}
