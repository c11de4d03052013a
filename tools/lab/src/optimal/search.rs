//! The least cost of a set of candidates, by trying every guess that bounds do not rule out.
//!
//! The cost of a set is the sum of its candidates' turns. A guess costs one turn for each candidate, and then
//! what its cells cost; the winning one costs nothing more. `docs/optimal.md` tells why what is found is the
//! least.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::bounds::{ANY, Bounds, Cap, IMPOSSIBLE, least_of_parts, next};
use super::guesses::{Bag, Guesses, Lists};
use super::memo::{Cost, Known, Memo};
use super::space::{Id, Space};
use super::symmetry::{Form, Names};
use super::words::{self, Words};

/// What is wanted of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// The least cost.
    Least,
    /// Any cost at all within the cap.
    Any,
}

/// The search was told to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopped;

/// A search, with everything that it has found out.
pub(super) struct Search<'a> {
    space: &'a Space,
    want: Want,
    bounds: Bounds,
    memo: Memo,
    lists: Lists,
    /// By number of candidates: what they usually cost, to try good guesses first.
    usual: Vec<f32>,
    nodes: AtomicU64,
    stop: &'a AtomicBool,
}

/// What was found out of a set at little cost.
enum Look {
    Known(Cost),
    Open(Box<Open>),
}

/// A set for which guesses have to be tried.
struct Open {
    form: Form,
    /// It costs no less.
    low: u32,
}

/// A bound that was reached stands for a cost.
fn at_least(total: u32) -> Cost {
    Cost { total, worst: 0 }
}

impl<'a> Search<'a> {
    pub(super) fn new(space: &'a Space, want: Want, stop: &'a AtomicBool) -> Self {
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
            lists: Lists::new(),
            usual: (0..=space.len()).map(usual).collect(),
            nodes: AtomicU64::new(0),
            stop,
        }
    }

    /// How many sets are remembered.
    pub(super) fn sets(&self) -> usize {
        self.memo.len()
    }

    /// For how many sets guesses were tried.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The least cost of a set within the cap, if that is below `budget`; else a lower bound on it that is not
    /// below `budget`. [`IMPOSSIBLE`] if the cap is too low.
    pub(super) fn least(&self, set: &[Id], cap: Cap, budget: u32) -> Result<Cost, Stopped> {
        match self.at_a_glance(set, cap) {
            Glance::Exact(cost) => Ok(cost),
            Glance::AtLeast(low) if low >= budget => Ok(at_least(low)),
            Glance::AtLeast(low) => match self.look(set, cap, low) {
                Look::Known(cost) => Ok(cost),
                Look::Open(open) if open.low >= budget => Ok(at_least(open.low)),
                Look::Open(open) => self.expand(&open, cap, budget),
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
        match self.best_candidate(set) {
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

    fn may_be_split(&self, count: usize) -> bool {
        count <= self.space.answers() + 8
    }

    /// Of the candidates, one that tells most others apart: how many answers it lacks for telling all apart, up
    /// to 2, and which.
    pub(super) fn best_candidate(&self, set: &[Id]) -> (u32, Id) {
        let mut best = (2, set[0]);
        for &guess in set {
            let row = self.space.row(guess);
            let (mut seen, mut lacks) = (0_u64, 0);
            for &id in set {
                let answer = 1 << (row[usize::from(id)] % 64);
                lacks += u32::from(seen & answer != 0);
                seen |= answer;
                if lacks >= best.0 {
                    break;
                }
            }
            if lacks < best.0 {
                best = (lacks, guess);
                if lacks == 0 {
                    break;
                }
            }
        }
        best
    }

    /// What is remembered.
    fn look(&self, set: &[Id], cap: Cap, low: u32) -> Look {
        let form = Names::of(self.space, set).apply(self.space, set);
        let mut low = low;
        for cap_then in [ANY, cap] {
            match self.memo.get(form.hash, &form.set, cap_then) {
                Some(Known::Exact(cost, _)) if cost.worst <= cap => return Look::Known(cost),
                // What is known without a cap is a lower bound with one.
                Some(Known::Exact(cost, _)) => low = low.max(cost.total),
                Some(Known::AtLeast(total)) if total >= IMPOSSIBLE => {
                    return Look::Known(at_least(IMPOSSIBLE));
                }
                Some(Known::AtLeast(total)) => low = low.max(total),
                None => {}
            }
            if cap == ANY {
                break;
            }
        }
        Look::Open(Box::new(Open { form, low }))
    }

    /// Tries guesses, and remembers what was found.
    fn expand(&self, open: &Open, cap: Cap, budget: u32) -> Result<Cost, Stopped> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(Stopped);
        }
        self.nodes.fetch_add(1, Ordering::Relaxed);
        let set = &open.form.set;
        let guesses = self.lists.of(self.space, set, &open.form.names);
        let node = Node {
            search: self,
            set,
            guesses: &guesses,
            cap,
        };
        let best = match set.len() <= words::MOST {
            true => node.try_all(&Few::new(&node), open.low, budget)?,
            false => node.try_all(&Many::new(&node), open.low, budget)?,
        };
        let known = match best {
            Ok((cost, guess)) => Known::Exact(cost, guess),
            Err(low) => Known::AtLeast(low),
        };
        self.memo.put(open.form.hash, set, cap, known);
        Ok(best.map_or_else(at_least, |(cost, _)| cost))
    }

    /// The cost of going on with a guess that leaves these cells, if below `budget`; else a bound that is not.
    fn of_cells(&self, count: usize, cells: &Cells, cap: Cap, budget: u32) -> Result<Cost, Stopped> {
        let cap = next(cap);
        let mut total = count as u32;
        for cell in cells.by_size() {
            if cell.len() == count {
                return Ok(at_least(IMPOSSIBLE)); // it tells nothing, and would be guessed for ever
            }
            total += self.bounds.least(cell.len(), cap);
        }
        let mut worst = 1;
        // First what is known of each at a glance, then what is remembered, and only then is anything tried.
        let mut unknown = Vec::new();
        for cell in cells.by_size() {
            if total >= budget {
                return Ok(at_least(total.min(IMPOSSIBLE)));
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
                return Ok(at_least(total.min(IMPOSSIBLE)));
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
        // The smallest first: they cost little to solve, and leave less to the others. But where only the cap
        // counts, it is the largest that fails.
        if self.want == Want::Any {
            open.reverse();
        }
        for look in open {
            if total >= budget {
                break;
            }
            let cost = self.expand(&look, cap, budget - (total - look.low))?;
            total += cost.total - look.low;
            worst = worst.max(1 + cost.worst);
        }
        let total = total.min(IMPOSSIBLE);
        Ok(Cost { total, worst })
    }

    /// A guess with which a set costs least within the cap, as far as it is remembered.
    pub(super) fn remembered(&self, set: &[Id], cap: Cap) -> Option<Id> {
        match set.len() {
            0 => return None,
            1 | 2 => return Some(set[0]),
            _ => {}
        }
        if self.may_be_split(set.len()) {
            match self.best_candidate(set) {
                (0, guess) => return Some(guess),
                (1, guess) if cap >= 3 => return Some(guess),
                _ => {}
            }
        }
        let form = Names::of(self.space, set).apply(self.space, set);
        [ANY, cap].into_iter().find_map(|cap_then| {
            match self.memo.get(form.hash, &form.set, cap_then)? {
                Known::Exact(cost, guess) if cost.worst <= cap => {
                    Some(form.named_back(self.space, guess))
                }
                _ => None,
            }
        })
    }
}

/// What is known at a glance.
enum Glance {
    Exact(Cost),
    AtLeast(u32),
}

/// A set whose guesses are tried.
struct Node<'a> {
    search: &'a Search<'a>,
    set: &'a [Id],
    guesses: &'a Guesses,
    cap: Cap,
}

/// How cells are counted.
trait Count {
    /// For each bag, the least that its guesses can cost as far as the number of candidates with so many digits
    /// in common tell.
    fn of_bags(&self) -> Vec<u32>;
    /// For each guess of a bag, the least that it can cost as far as the sizes of its cells tell.
    fn of_guesses(&self, bag: &Bag, costs: &mut Vec<(u32, Id)>);
    /// What a guess usually costs.
    fn usual(&self, guess: Id) -> f32;
    /// Its cells; none if another guess left the same ones.
    fn cells(&self, guess: Id, tried: &mut Vec<u64>) -> Option<Cells>;
}

impl Node<'_> {
    /// Tries guesses, those first that may cost least. The least cost with a guess that attains it, if it is
    /// below `budget`; else a lower bound.
    fn try_all(
        &self,
        count: &impl Count,
        low: u32,
        budget: u32,
    ) -> Result<Result<(Cost, Id), u32>, Stopped> {
        let of_bags = count.of_bags();
        let twice = 2 * self.set.len() as u32;
        let may_be_split = self.search.may_be_split(self.set.len());
        let (mut best, mut budget, mut refuted) = (None, budget, IMPOSSIBLE);
        let (mut pending, mut fresh, mut tried) = (Vec::new(), Vec::new(), Vec::new());
        let mut level = of_bags.iter().copied().min().unwrap_or(IMPOSSIBLE);
        'levels: while level < budget && level < IMPOSSIBLE {
            // Guesses cost no less than their bags, so these are the only ones that may be on this level.
            let bags = self.guesses.bags.iter().zip(&of_bags);
            for (bag, _) in bags.filter(|(_, of_bag)| **of_bag == level) {
                fresh.clear();
                count.of_guesses(bag, &mut fresh);
                for (cost, _) in &mut fresh {
                    *cost = (*cost).max(level);
                }
                let best_one = fresh.iter().find(|(cost, _)| *cost == twice);
                if let Some(&(_, guess)) = best_one.filter(|_| may_be_split && self.cap >= 3) {
                    // No candidate does as well, so this one leaves single candidates only.
                    let cost = Cost {
                        total: twice,
                        worst: 2,
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
            for (_, guess) in some {
                let Some(cells) = count.cells(guess, &mut tried) else {
                    continue;
                };
                let search = self.search;
                let cost = search.of_cells(self.set.len(), &cells, self.cap, budget)?;
                if cost.total >= budget {
                    refuted = refuted.min(cost.total);
                    continue;
                }
                best = Some((cost, guess));
                budget = cost.total;
                if budget <= low || search.want == Want::Any {
                    break 'levels;
                }
                if level >= budget {
                    break;
                }
            }
            let bags_above = of_bags.iter().copied().filter(|&of_bag| of_bag > level);
            level = bags_above.min().unwrap_or(IMPOSSIBLE).min(above);
        }
        // What was not tried costs `level` at least, and what was, `refuted`.
        Ok(best.ok_or_else(|| refuted.min(level).max(low)))
    }
}

/// Sets that fit into a word.
struct Few<'a> {
    node: &'a Node<'a>,
    words: Words<'a>,
}

impl<'a> Few<'a> {
    fn new(node: &'a Node<'a>) -> Self {
        Self {
            node,
            words: Words::new(node.search.space, node.set),
        }
    }
}

impl Count for Few<'_> {
    fn of_bags(&self) -> Vec<u32> {
        let table = self.node.search.bounds.table(next(self.node.cap));
        self.words.of_bags(&self.node.guesses.bags, table)
    }

    fn of_guesses(&self, bag: &Bag, costs: &mut Vec<(u32, Id)>) {
        self.words.of_guesses(bag, self.node.guesses, costs);
    }

    fn usual(&self, guess: Id) -> f32 {
        let win = self.node.search.space.win();
        let sizes = self.words.sizes(guess);
        let usual = |&size: &u8| self.node.search.usual[usize::from(size)];
        sizes[..win].iter().map(usual).sum()
    }

    fn cells(&self, guess: Id, tried: &mut Vec<u64>) -> Option<Cells> {
        let set = self.node.set;
        let split = self.words.split(guess);
        let others = &split[..self.node.search.space.win()];
        if set.len() < 16 {
            // Four bits for each candidate: the first one that is in the same cell; 15 for the guess itself.
            let mut labels = 0_u64;
            let own = split[self.node.search.space.win()];
            if own != 0 {
                labels |= 15 << (4 * own.trailing_zeros());
            }
            for &cell in others {
                let mut left = cell;
                let first = u64::from(cell.trailing_zeros());
                while left != 0 {
                    labels |= first << (4 * left.trailing_zeros());
                    left &= left - 1;
                }
            }
            if tried.contains(&labels) {
                return None;
            }
            tried.push(labels);
        }
        Some(Cells::of_words(set, others))
    }
}

/// Larger sets.
struct Many<'a> {
    node: &'a Node<'a>,
}

impl<'a> Many<'a> {
    fn new(node: &'a Node<'a>) -> Self {
        Self { node }
    }

    /// How many candidates each answer leaves.
    fn sizes(&self, guess: Id) -> [u16; 64] {
        let row = self.node.search.space.row(guess);
        let mut sizes = [0; 64];
        for &id in self.node.set {
            sizes[usize::from(row[usize::from(id)] % 64)] += 1;
        }
        sizes
    }
}

impl Count for Many<'_> {
    fn of_bags(&self) -> Vec<u32> {
        let (search, set) = (self.node.search, self.node.set);
        let (space, table) = (search.space, search.bounds.table(next(self.node.cap)));
        let of_bag = |bag: &Bag| {
            let mut is_in = [0_u8; super::space::TOKENS];
            for &token in &bag.tokens[..space.places] {
                is_in[usize::from(token)] = 1;
            }
            let mut sizes = [0_usize; 8];
            for &id in set {
                let tokens = &space.whatever_place(id)[..space.places];
                let common = tokens.iter().map(|&token| is_in[usize::from(token) % is_in.len()]);
                sizes[usize::from(common.sum::<u8>()) % 8] += 1;
            }
            // The winning one costs nothing.
            sizes[space.places] = sizes[space.places].saturating_sub(1);
            let costs = sizes[..=space.places].iter().zip(&bag.most);
            let costs = costs.map(|(&size, &most)| least_of_parts(table, size, usize::from(most)));
            (set.len() as u32 + costs.sum::<u32>()).min(IMPOSSIBLE)
        };
        self.node.guesses.bags.iter().map(of_bag).collect()
    }

    fn of_guesses(&self, bag: &Bag, costs: &mut Vec<(u32, Id)>) {
        let search = self.node.search;
        let table = search.bounds.table(next(self.node.cap));
        for &guess in self.node.guesses.of(bag) {
            let sizes = self.sizes(guess);
            let others = &sizes[..search.space.win()];
            let sum = others.iter().map(|&size| table[usize::from(size)]).sum::<u32>();
            let cost = self.node.set.len() as u32 + sum;
            costs.push((cost.min(IMPOSSIBLE), guess));
        }
    }

    fn usual(&self, guess: Id) -> f32 {
        let sizes = self.sizes(guess);
        let others = &sizes[..self.node.search.space.win()];
        others
            .iter()
            .map(|&size| self.node.search.usual[usize::from(size)])
            .sum()
    }

    fn cells(&self, guess: Id, _: &mut Vec<u64>) -> Option<Cells> {
        Some(Cells::new(self.node.search.space, self.node.set, guess))
    }
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

    /// From one bit for each candidate in each cell.
    fn of_words(set: &[Id], cells: &[u64]) -> Self {
        let mut members = Vec::with_capacity(set.len());
        let mut ranges = Vec::with_capacity(16);
        for (answer, &cell) in (0..).zip(cells) {
            let (start, mut left) = (members.len(), cell);
            while left != 0 {
                members.push(set[left.trailing_zeros() as usize]);
                left &= left - 1;
            }
            if cell != 0 {
                ranges.push((answer, start, members.len()));
            }
        }
        ranges.sort_by_key(|(_, start, end)| end - start);
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
