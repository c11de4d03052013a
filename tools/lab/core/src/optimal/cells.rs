//! The cells into which guesses split a set: how many candidates are in each, and which.

use super::bounds::{IMPOSSIBLE, least_of_parts, next};
use super::guesses::Bag;
use super::space::{Id, Space, TOKENS};
use super::state::Node;
use super::words::{self, Words};

/// How cells are counted.
pub(super) trait Count: Sync {
    /// For each bag, a lower bound of what its guesses cost. It follows from the numbers of candidates by how many
    /// digits they share with the bag.
    fn bag_costs(&self) -> Vec<u32>;
    /// For each guess of a bag, the least that it can cost as far as the sizes of its cells tell. Those below `budget`
    /// are appended to `costs`; the least of the others is returned.
    fn guess_costs(&self, bag: &Bag, budget: u32, costs: &mut Vec<(u32, Id)>) -> u32;
    /// What a guess usually costs.
    fn usual(&self, guess: Id) -> f32;
    /// Its cells; none if another guess left the same ones.
    fn cells(&self, guess: Id, tried: &mut Vec<u64>) -> Option<Cells>;
}

/// Sets that fit into a word.
pub(super) struct Few<'a> {
    node: &'a Node<'a>,
    words: Words<'a>,
}

impl<'a> Few<'a> {
    pub(super) fn new(node: &'a Node<'a>) -> Self {
        Self {
            node,
            words: Words::new(node.search.space, node.set),
        }
    }
}

impl Count for Few<'_> {
    fn bag_costs(&self) -> Vec<u32> {
        let table = self.node.search.bounds.table(next(self.node.cap));
        self.words.bag_costs(&self.node.guesses.bags, table)
    }

    fn guess_costs(&self, bag: &Bag, budget: u32, costs: &mut Vec<(u32, Id)>) -> u32 {
        let guesses = self.node.guesses;
        self.words.guess_costs(bag, guesses, budget, costs)
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
        let answers = others.len();
        Some(Cells::from_words(set, &[split], answers))
    }
}

/// Larger sets, in words of 64 candidates each.
pub(super) struct Many<'a> {
    node: &'a Node<'a>,
    words: Vec<Words<'a>>,
}

impl<'a> Many<'a> {
    pub(super) fn new(node: &'a Node<'a>) -> Self {
        let words = match node.search.without.words {
            true => Vec::new(),
            false => {
                let parts = node.set.chunks(words::MOST);
                parts
                    .map(|part| Words::new(node.search.space, part))
                    .collect()
            }
        };
        Self { node, words }
    }

    /// How many candidates each answer leaves.
    fn sizes(&self, guess: Id) -> [u16; 64] {
        let mut sizes = [0; 64];
        if self.node.search.without.words {
            let row = self.node.search.space.row(guess);
            for &id in self.node.set {
                sizes[usize::from(row[usize::from(id)] % 64)] += 1;
            }
        } else {
            words::add_sizes(&self.words, guess, &mut sizes);
        }
        sizes
    }
}

impl Count for Many<'_> {
    fn bag_costs(&self) -> Vec<u32> {
        let (search, set) = (self.node.search, self.node.set);
        let (space, table) = (search.space, search.bounds.table(next(self.node.cap)));
        let bag_cost = |bag: &Bag| {
            let mut is_in = [0_u8; TOKENS];
            for &token in &bag.tokens[..space.places] {
                is_in[usize::from(token)] = 1;
            }
            let mut sizes = [0_usize; 8];
            for &id in set {
                let tokens = &space.whatever_place(id)[..space.places];
                let common = tokens
                    .iter()
                    .map(|&token| is_in[usize::from(token) % is_in.len()]);
                sizes[usize::from(common.sum::<u8>()) % 8] += 1;
            }
            // The winning one costs nothing.
            sizes[space.places] = sizes[space.places].saturating_sub(1);
            let costs = sizes[..=space.places].iter().zip(&bag.most);
            let costs = costs.map(|(&size, &most)| least_of_parts(table, size, usize::from(most)));
            (set.len() as u32 + costs.sum::<u32>()).min(IMPOSSIBLE)
        };
        self.node.guesses.bags.iter().map(bag_cost).collect()
    }

    fn guess_costs(&self, bag: &Bag, budget: u32, costs: &mut Vec<(u32, Id)>) -> u32 {
        let (search, mut others_cost) = (self.node.search, IMPOSSIBLE);
        let table = search.bounds.table(next(self.node.cap));
        for &guess in self.node.guesses.of(bag) {
            let sizes = self.sizes(guess);
            let others = &sizes[..search.space.win()];
            let sum = others
                .iter()
                .map(|&size| table[usize::from(size)])
                .sum::<u32>();
            let cost = (self.node.set.len() as u32 + sum).min(IMPOSSIBLE);
            match cost < budget {
                true => costs.push((cost, guess)),
                false => others_cost = others_cost.min(cost),
            }
        }
        others_cost
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
        if self.node.search.without.words {
            return Some(Cells::new(self.node.search.space, self.node.set, guess));
        }
        let splits: Vec<[u64; 64]> = self.words.iter().map(|words| words.split(guess)).collect();
        let answers = self.node.search.space.win();
        Some(Cells::from_words(self.node.set, &splits, answers))
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

    /// From one bit for each candidate in each cell, by answer, in words of 64 candidates each.
    fn from_words(set: &[Id], splits: &[[u64; 64]], answers: usize) -> Self {
        let mut members = Vec::with_capacity(set.len());
        let mut ranges = Vec::with_capacity(32);
        for answer in 0..answers {
            let start = members.len();
            for (split, part) in splits.iter().zip(set.chunks(words::MOST)) {
                let mut left = split[answer];
                while left != 0 {
                    members.push(part[left.trailing_zeros() as usize]);
                    left &= left - 1;
                }
            }
            if members.len() > start {
                ranges.push((answer as u8, start, members.len()));
            }
        }
        ranges.sort_by_key(|(_, start, end)| end - start);
        Self { members, ranges }
    }

    pub(super) fn by_size(&self) -> impl Iterator<Item = &[Id]> {
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
