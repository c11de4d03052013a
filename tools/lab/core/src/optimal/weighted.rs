//! The least cost of sets of candidates when a turn costs what you say: not 1 each, but any number that does not
//! descend, times a weight for each kind of secret.
//!
//! With such costs a strategy can win most races instead of taking the fewest turns, or take the fewest turns against
//! secrets that are not equally likely. The search is that of [`search`](super::search) with fewer techniques: names,
//! classes of digits, bounds by size, budgets. What a set costs depends on the turn, so it is remembered with it.

use std::cell::RefCell;
use std::collections::HashMap;

use super::cells::Cells;
use super::guesses::Lists;
use super::options::TooLarge;
use super::space::{Id, Space};
use super::symmetry::{Form, Names};
use super::turn_costs::{MOST_TURNS, TurnCosts};
use crate::solver::pegs::{CodeId, Codes};
use crate::strategy::{Node, Strategy};
use crate::tree::shape;

/// More than any cost.
const IMPOSSIBLE: u64 = u64::MAX / 4;

/// A search for the least cost, with what it has found out.
pub struct WeightedSearch {
    game: String,
    space: Space,
    costs: TurnCosts,
    /// By code: the class of its weight.
    classes: Vec<u8>,
    lists: Lists,
    memo: RefCell<HashMap<(usize, Vec<Id>), Known>>,
}

#[derive(Clone, Copy)]
enum Known {
    Exact(u64, Id),
    AtLeast(u64),
}

/// What is known of a set without a search.
enum Glance {
    /// Its cost, and the guess that attains it.
    Exact(u64, Id),
    AtLeast(u64),
}

/// A guess that may be tried.
struct Choice {
    usual: f64,
    bound: u64,
    guess: Id,
}

impl WeightedSearch {
    /// For a game whose turns cost `costs` (turn 1 first; after the last one each turn costs as much more as that one).
    /// `weight` says how much a secret counts by its [`shape`], at least 1: so all renamings of a secret count the same.
    ///
    /// # Errors
    /// If the game is too large.
    ///
    /// # Panics
    /// If costs descend or are too large, or a weight is 0.
    pub fn new(
        codes: &Codes,
        costs: &[u64],
        weight: &dyn Fn(&[usize]) -> u64,
    ) -> Result<Self, TooLarge> {
        TooLarge::check(codes)?;
        let space = Space::new(codes);
        let of_code: Vec<u64> = (0..codes.len() as CodeId)
            .map(|code| weight(&shape(codes, code)))
            .collect();
        let mut weights = of_code.clone();
        weights.sort_unstable_by(|a, b| b.cmp(a));
        weights.dedup();
        assert!(weights.last() > Some(&0), "expected weights of at least 1");
        let class = |weight: &u64| weights.partition_point(|other| other > weight) as u8;
        Ok(Self {
            game: codes.game.title(),
            classes: of_code.iter().map(class).collect(),
            costs: TurnCosts::new(costs, weights, codes.len(), space.win()),
            lists: Lists::new(true),
            memo: RefCell::default(),
            space,
        })
    }

    /// The least cost of finding a secret that is one of `set` (ascending), the next guess being that of turn 1.
    pub fn least(&self, set: &[CodeId]) -> u64 {
        self.solve(&ids(set), 1, IMPOSSIBLE)
    }

    /// The least cost if `guess` is made first.
    pub fn least_after(&self, set: &[CodeId], guess: CodeId) -> u64 {
        let set = ids(set);
        let guess = guess as Id;
        let cells = Cells::new(&self.space, &set, guess);
        let cells = cells.by_size().map(|cell| self.solve(cell, 2, IMPOSSIBLE));
        cells.sum::<u64>() + self.own_cost(&set, guess, 1)
    }

    /// All guesses after which the least cost of `set` (ascending) is possible, ascending.
    pub fn best_guesses(&self, set: &[CodeId]) -> Vec<CodeId> {
        let set = ids(set);
        let least = self.solve(&set, 1, IMPOSSIBLE);
        let all = 0..self.space.len() as Id;
        let tells = |guess: &Id| {
            let row = self.space.row(*guess);
            let answer = row[usize::from(set[0])];
            set.iter().any(|&id| row[usize::from(id)] != answer) || set.len() == 1
        };
        let is_best = |guess: &Id| self.cost_of_guess(&set, *guess, 1, least + 1) <= least;
        let best = all.filter(tells).filter(is_best);
        best.map(CodeId::from).collect()
    }

    /// The tree for `set` that begins with `guess`, and then costs least.
    pub fn tree_after(&self, set: &[CodeId], guess: CodeId) -> Node {
        self.node_after(&ids(set), guess as Id, 1)
    }

    /// A strategy of least cost for the whole game.
    pub fn strategy(&self) -> Strategy {
        let all: Vec<Id> = (0..self.space.len() as Id).collect();
        Strategy {
            game: self.game.clone(),
            root: self.node(&all, 1),
        }
    }

    /// The cost of the candidate that is guessed.
    fn own_cost(&self, set: &[Id], guess: Id, turn: usize) -> u64 {
        match set.binary_search(&guess) {
            Ok(_) => self.costs.of(turn, self.class(guess)),
            Err(_) => 0,
        }
    }

    fn class(&self, id: Id) -> u8 {
        self.classes[usize::from(id)]
    }

    /// The least cost if that is below `budget`; else a lower bound that is not below `budget`.
    fn solve(&self, set: &[Id], turn: usize, budget: u64) -> u64 {
        let low = match self.at_a_glance(set, turn) {
            Glance::Exact(cost, _) => return cost,
            Glance::AtLeast(low) if low >= budget => return low,
            Glance::AtLeast(low) => low,
        };
        if turn + 1 >= MOST_TURNS {
            return IMPOSSIBLE;
        }
        self.look_and_try(self.form(set), turn, low, budget)
    }

    fn form(&self, set: &[Id]) -> Form {
        Names::new(&self.space, set).apply(&self.space, set)
    }

    /// What is remembered, or else what trying guesses tells.
    fn look_and_try(&self, form: Form, turn: usize, low: u64, budget: u64) -> u64 {
        let key = (turn, form.set.clone());
        let known = self.memo.borrow().get(&key).copied();
        let low = match known {
            Some(Known::Exact(cost, _)) => return cost,
            Some(Known::AtLeast(bound)) if bound >= budget => return bound,
            Some(Known::AtLeast(bound)) => low.max(bound),
            None => low,
        };
        let known = self.try_all(&form, turn, low, budget);
        self.memo.borrow_mut().insert(key, known);
        match known {
            Known::Exact(cost, _) | Known::AtLeast(cost) => cost,
        }
    }

    /// What the number of candidates and the answers between them tell.
    fn at_a_glance(&self, set: &[Id], turn: usize) -> Glance {
        let (count, costs) = (set.len(), &self.costs);
        if let &[only] = set {
            return Glance::Exact(costs.of(turn, self.class(only)), only);
        }
        let classes = set.iter().map(|&id| self.class(id));
        // Beyond this no candidate tells all others apart, and the bound by size says so.
        if count > self.space.win() + 1 {
            return Glance::AtLeast(costs.least(turn, &self.counts(set)));
        }
        let all_next: u64 = classes.clone().map(|class| costs.of(turn + 1, class)).sum();
        let (heaviest, lightest) = (
            classes.clone().min().unwrap_or(0),
            classes.max().unwrap_or(0),
        );
        let saved = |class: u8| costs.of(turn + 1, class) - costs.of(turn, class);
        let late = costs.of(turn + 2, lightest) - costs.of(turn + 1, lightest);
        let complete = set.iter().copied().filter(|&id| self.tells_all(set, id));
        let complete = complete.min_by_key(|&id| (self.class(id), id));
        // Another guess first, or a candidate that leaves a pair.
        let other_first = all_next + if count > self.space.win() { late } else { 0 };
        let low = other_first.min(all_next - saved(heaviest) + late);
        match complete.map(|id| (all_next - saved(self.class(id)), id)) {
            Some((cost, id)) if cost <= low => Glance::Exact(cost, id),
            _ => Glance::AtLeast(low),
        }
    }

    fn counts(&self, set: &[Id]) -> Vec<u16> {
        let mut counts = vec![0; self.costs.weights.len()];
        for &id in set {
            counts[usize::from(self.class(id))] += 1;
        }
        counts
    }

    /// Whether the answers to a guess differ for all candidates.
    fn tells_all(&self, set: &[Id], guess: Id) -> bool {
        let (row, mut seen) = (self.space.row(guess), 0_u64);
        set.iter().all(|&id| {
            let answer = 1 << (row[usize::from(id)] % 64);
            let new = seen & answer == 0;
            seen |= answer;
            new
        })
    }

    fn try_all(&self, form: &Form, turn: usize, low: u64, budget: u64) -> Known {
        let (mut budget, mut best, mut refuted) = (budget, None, IMPOSSIBLE);
        let mut tried = Vec::new();
        for option in self.options(form, turn) {
            if option.bound >= budget {
                refuted = refuted.min(option.bound);
                continue;
            }
            if let Some(labels) = self.labels(&form.set, option.guess) {
                if tried.contains(&labels) {
                    continue;
                }
                tried.push(labels);
            }
            let cost = self.cost_of_guess(&form.set, option.guess, turn, budget);
            if cost >= budget {
                refuted = refuted.min(cost);
                continue;
            }
            (budget, best) = (cost, Some(option.guess));
            if cost <= low {
                break;
            }
        }
        match best {
            Some(guess) => Known::Exact(budget, guess),
            None => Known::AtLeast(refuted.max(low)),
        }
    }

    /// The guesses that tell something, those that are usually good first.
    fn options(&self, form: &Form, turn: usize) -> Vec<Choice> {
        let (set, classes) = (&form.set, self.costs.weights.len());
        let win = self.space.win();
        let mut counts = vec![0_u16; (win + 1) * classes];
        let guesses = self.lists.of(&self.space, set, &form.names);
        let mut options = Vec::new();
        for &guess in guesses.bags.iter().flat_map(|bag| guesses.of(bag)) {
            counts.fill(0);
            let row = self.space.row(guess);
            for &id in set {
                let class = usize::from(self.class(id));
                counts[usize::from(row[usize::from(id)]) * classes + class] += 1;
            }
            let (mut bound, mut usual) = (0, 0.0);
            let mut largest = 0;
            for cell in counts.chunks(classes).take(win) {
                let size = cell.iter().map(|&count| usize::from(count)).sum();
                if size > 0 {
                    bound += self.costs.least(turn + 1, cell);
                    usual += self.costs.usual(turn + 1, size);
                    largest = largest.max(size);
                }
            }
            // A guess that tells nothing would be made without end.
            if largest < set.len() {
                bound += self.own_cost(set, guess, turn);
                options.push(Choice {
                    usual,
                    bound,
                    guess,
                });
            }
        }
        options.sort_by(|a, b| a.usual.total_cmp(&b.usual).then(a.guess.cmp(&b.guess)));
        options
    }

    /// Four bits for each candidate: the answer by its first candidate, and 15 for the guess itself.
    fn labels(&self, set: &[Id], guess: Id) -> Option<u64> {
        if set.len() >= 16 {
            return None;
        }
        let (row, mut first, mut labels) = (self.space.row(guess), [16_u64; 64], 0);
        for (number, &id) in (0..).zip(set) {
            let first = &mut first[usize::from(row[usize::from(id)]) % 64];
            *first = (*first).min(number);
            labels = labels << 4 | if id == guess { 15 } else { *first };
        }
        Some(labels)
    }

    /// The cost of a guess if that is below `budget`; else a lower bound that is not.
    fn cost_of_guess(&self, set: &[Id], guess: Id, turn: usize, budget: u64) -> u64 {
        let cells = Cells::new(&self.space, set, guess);
        let mut total = self.own_cost(set, guess, turn);
        let mut open = Vec::new();
        for cell in cells.by_size() {
            match self.at_a_glance(cell, turn + 1) {
                Glance::Exact(cost, _) => total += cost,
                Glance::AtLeast(low) => {
                    total += low;
                    open.push((cell, low));
                }
            }
        }
        // What is remembered before anything is searched.
        let mut unknown = Vec::new();
        for (cell, low) in open {
            if total >= budget {
                return total;
            }
            let form = self.form(cell);
            let key = (turn + 1, form.set.clone());
            match self.memo.borrow().get(&key).copied() {
                Some(Known::Exact(cost, _)) => total = total - low + cost,
                Some(Known::AtLeast(bound)) => {
                    let bound = bound.max(low);
                    total = total - low + bound;
                    unknown.push((form, bound));
                }
                None => unknown.push((form, low)),
            }
        }
        for (form, low) in unknown {
            if total >= budget {
                return total;
            }
            let left = budget - (total - low);
            total = total - low + self.look_and_try(form, turn + 1, low, left);
        }
        total
    }

    fn node(&self, set: &[Id], turn: usize) -> Node {
        let guess = match self.at_a_glance(set, turn) {
            Glance::Exact(_, guess) => guess,
            Glance::AtLeast(low) => {
                let form = self.form(set);
                let key = (turn, form.set.clone());
                self.look_and_try(self.form(set), turn, low, IMPOSSIBLE);
                match self.memo.borrow()[&key] {
                    Known::Exact(_, guess) => form.named_back(&self.space, guess),
                    Known::AtLeast(_) => unreachable!("every set has a strategy"),
                }
            }
        };
        self.node_after(set, guess, turn)
    }

    fn node_after(&self, set: &[Id], guess: Id, turn: usize) -> Node {
        let cells = Cells::new(&self.space, set, guess);
        let mut then: Vec<(u8, Node)> = cells
            .by_answer()
            .map(|(answer, cell)| (answer, self.node(cell, turn + 1)))
            .collect();
        then.sort_by_key(|(answer, _)| *answer);
        let replies = then.into_iter();
        Node {
            guess: self.space.typed(guess),
            then: replies
                .map(|(a, node)| (self.space.reply(a), node))
                .collect(),
        }
    }
}

fn ids(set: &[CodeId]) -> Vec<Id> {
    set.iter().map(|&code| code as Id).collect()
}
