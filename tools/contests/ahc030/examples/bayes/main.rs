//! A contestant that plays by Bayes' rule on the places of the fields: `cargo build --release -p ahc030 --examples`.
//!
//! It drills while too many layouts fit what it knows. Then it lists them all, with a weight for each, and asks the
//! question that tells most for its cost, among some random ones. It answers when a wrong answer is expected to cost
//! less than another question. With two fields it lists all layouts at once; with many fields it mostly drills.
//!
//! It knows no clock, and draws random numbers from its input: the same replies lead to the same next operation.
//!
//! `--sets N`: how many questions it compares at each turn. `--price X`: it answers when the probability of being
//! wrong is below X times the cost of the best question.

mod noise;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};
use std::io::{Lines, StdinLock, Write, stdin, stdout};

use noise::{Normal, surprise};

/// The most layouts that are listed, and the most partial ones that are looked at to list them.
const LAYOUTS: usize = 30_000;
const LOOKS: usize = 100_000;

/// A bit for each cell: 20² = 400 at most.
type Cells = [u64; 7];

fn main() {
    let option = |name: &str, usual: f64| {
        let mut words = std::env::args().skip_while(|word| word != name);
        let value = words.nth(1).map(|word| word.parse());
        value.map_or(usual, |value| value.expect("a number after an option"))
    };
    let (sets, price) = (option("--sets", 24.0) as usize, option("--price", 1.0));
    let mut game = Game::read();
    let mut places = game.places();
    let mut layouts = loop {
        places
            .iter_mut()
            .zip(&game.shapes)
            .for_each(|(of_field, shape)| {
                of_field.retain(|&place| game.can_be_at(shape, place));
            });
        match game.layouts(&places) {
            Some(layouts) => break layouts,
            None => game.drill_most_uncertain(&places),
        }
    };
    // As many operations are left as there are cells, so that it can drill them all and answer.
    while game.operations + game.n * game.n < 2 * game.n * game.n {
        let total: f64 = layouts.iter().map(|layout| layout.weight).sum();
        layouts.iter_mut().for_each(|layout| layout.weight /= total);
        layouts.retain(|layout| layout.weight > 1e-12);
        let (answer, probability) = game.most_probable_answer(&layouts);
        let question = game.best_question(&layouts, sets);
        let cost = 1.0 / (question.len() as f64).sqrt();
        if probability >= 1.0 - 1e-9 || 1.0 - probability < price * cost {
            if game.operation('a', &cells_of(&answer).collect::<Vec<_>>()) == 1 {
                return;
            }
            layouts.retain(|layout| layout.oil != answer);
        } else {
            let reply = game.operation('q', &question);
            game.learn(&mut layouts, &question, reply);
        }
        if layouts.is_empty() {
            break;
        }
    }
    game.drill_all_and_answer();
}

/// One arrangement of all fields that fits what was drilled.
struct Layout {
    /// For each field, the row and column of its place, as one number.
    places: Vec<usize>,
    /// Where there is oil.
    oil: Cells,
    weight: f64,
}

/// What is known, and how to ask. Cells and places are numbers: row · N + column.
struct Game {
    input: Lines<StdinLock<'static>>,
    n: usize,
    eps: f64,
    /// The cells of each field, if its place is 0, and its number of rows and columns.
    shapes: Vec<Shape>,
    drilled: Vec<Option<u8>>,
    operations: usize,
    /// Of the generator of random numbers.
    state: u64,
}

struct Shape {
    cells: Vec<usize>,
    size: [usize; 2],
}

impl Game {
    fn read() -> Self {
        let mut input = stdin().lines();
        let mut hasher = DefaultHasher::new();
        let mut line = || {
            let line = input.next().expect("a line of input").expect("UTF-8");
            hasher.write(line.as_bytes());
            line
        };
        let first = line();
        let words: Vec<&str> = first.split(' ').collect();
        let n: usize = words[0].parse().expect("N");
        let fields = words[1].parse().expect("M");
        let shape = |text: String| {
            let numbers: Vec<usize> = text
                .split(' ')
                .map(|word| word.parse().expect("a number"))
                .collect();
            let (cells, _) = numbers[1..].as_chunks();
            let size = |axis: usize| {
                1 + cells
                    .iter()
                    .map(|cell: &[usize; 2]| cell[axis])
                    .max()
                    .expect("a cell")
            };
            Shape {
                cells: cells.iter().map(|[row, column]| row * n + column).collect(),
                size: [size(0), size(1)],
            }
        };
        let shapes = (0..fields).map(|_| shape(line())).collect();
        let state = hasher.finish() | 1;
        Self {
            input,
            n,
            eps: words[2].parse().expect("eps"),
            shapes,
            drilled: vec![None; n * n],
            operations: 0,
            state,
        }
    }

    // ---- Operations.

    /// Prints one line, returns the reply.
    fn operation(&mut self, kind: char, cells: &[usize]) -> u32 {
        let mut line = format!("{kind} {}", cells.len());
        for cell in cells {
            line += &format!(" {} {}", cell / self.n, cell % self.n);
        }
        // One write for each line: it is also what flushes.
        writeln!(stdout(), "{line}").expect("the judge reads");
        self.operations += 1;
        let reply = self.input.next().expect("a reply").expect("UTF-8");
        reply.parse().expect("a number")
    }

    fn drill(&mut self, cell: usize) {
        let value = self.operation('q', &[cell]);
        self.drilled[cell] = Some(value as u8);
    }

    fn drill_all_and_answer(&mut self) {
        for cell in 0..self.n * self.n {
            if self.drilled[cell].is_none() {
                self.drill(cell);
            }
        }
        let oil: Vec<usize> = (0..self.n * self.n)
            .filter(|&cell| self.drilled[cell] != Some(0))
            .collect();
        self.operation('a', &oil);
    }

    // ---- Layouts.

    /// For each field, where it can be on an unknown grid.
    fn places(&self) -> Vec<Vec<usize>> {
        let of_shape = |shape: &Shape| {
            let [rows, columns] = shape.size.map(|size| 0..=self.n - size);
            rows.flat_map(|row| columns.clone().map(move |column| row * self.n + column))
                .collect()
        };
        self.shapes.iter().map(of_shape).collect()
    }

    fn can_be_at(&self, shape: &Shape, place: usize) -> bool {
        shape
            .cells
            .iter()
            .all(|cell| self.drilled[cell + place] != Some(0))
    }

    /// Drills the cell of which it is least certain whether there is oil, as if each place of a field were equally
    /// likely.
    fn drill_most_uncertain(&mut self, places: &[Vec<usize>]) {
        let mut dry = vec![1.0; self.n * self.n];
        for (shape, places) in self.shapes.iter().zip(places) {
            let mut covered = vec![0.0; self.n * self.n];
            for place in places {
                shape
                    .cells
                    .iter()
                    .for_each(|cell| covered[cell + place] += 1.0 / places.len() as f64);
            }
            dry.iter_mut()
                .zip(covered)
                .for_each(|(dry, covered)| *dry *= 1.0 - covered);
        }
        let unknown = (0..dry.len()).filter(|&cell| self.drilled[cell].is_none());
        let by_doubt =
            |&a: &usize, &b: &usize| (dry[a] - 0.5).abs().total_cmp(&(dry[b] - 0.5).abs());
        self.drill(
            unknown
                .min_by(by_doubt)
                .expect("all drilled, so one layout of values"),
        );
    }

    /// All layouts that fit what was drilled; `None` if there are too many, or too many to look at.
    fn layouts(&self, places: &[Vec<usize>]) -> Option<Vec<Layout>> {
        // How much of each drilled value the fields that are not placed yet have to make up.
        let mut left: Vec<Option<u8>> = self.drilled.clone();
        let mut search = Search {
            game: self,
            places,
            found: Vec::new(),
            looks: 0,
        };
        search.place(&mut Vec::new(), &mut left)?;
        Some(search.found)
    }

    // ---- Probabilities.

    fn most_probable_answer(&self, layouts: &[Layout]) -> (Cells, f64) {
        let mut answers: HashMap<Cells, f64> = HashMap::new();
        for layout in layouts {
            *answers.entry(layout.oil).or_default() += layout.weight;
        }
        // Of equal ones the first in order: that of a hash map is not always the same.
        let by_weight =
            |a: &(Cells, f64), b: &(Cells, f64)| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0));
        answers.into_iter().max_by(by_weight).expect("a layout")
    }

    /// The question with most information for its cost, among random halves of what is uncertain, and single cells.
    fn best_question(&mut self, layouts: &[Layout], sets: usize) -> Vec<usize> {
        let mut oil = vec![0.0; self.n * self.n];
        for layout in layouts {
            cells_of(&layout.oil).for_each(|cell| oil[cell] += layout.weight);
        }
        let mut uncertain: Vec<usize> = (0..oil.len())
            .filter(|&cell| 0.02 < oil[cell] && oil[cell] < 0.98)
            .collect();
        uncertain.sort_by(|&a, &b| (oil[a] - 0.5).abs().total_cmp(&(oil[b] - 0.5).abs()));
        if uncertain.is_empty() {
            uncertain = (0..oil.len()).collect();
        }
        let mut best = (vec![uncertain[0]], 0.0);
        for set in 0..sets.max(1) {
            let question = match set {
                0 => vec![uncertain[0]],
                _ => self.random_half(&uncertain),
            };
            let value = self.information(layouts, &question) * (question.len() as f64).sqrt();
            if value > best.1 {
                best = (question, value);
            }
        }
        best.0
    }

    /// Each cell with a probability of a half; not none.
    fn random_half(&mut self, cells: &[usize]) -> Vec<usize> {
        loop {
            let half: Vec<usize> = cells
                .iter()
                .copied()
                .filter(|_| self.random_bit())
                .collect();
            if !half.is_empty() {
                return half;
            }
        }
    }

    /// Xorshift.
    fn random_bit(&mut self) -> bool {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state >> 63 == 1
    }

    /// For each layout, how much the fields cover of these cells.
    fn sums<'a>(
        &self,
        layouts: &'a [Layout],
        question: &[usize],
    ) -> impl Iterator<Item = (&'a Layout, usize)> {
        let mut asked = vec![0; self.n * self.n];
        question.iter().for_each(|&cell| asked[cell] = 1);
        let last = self.n * self.n;
        let of_shape = |shape: &Shape| {
            let inside = |place: usize| {
                shape
                    .cells
                    .iter()
                    .map(|cell| asked.get(cell + place).unwrap_or(&0))
                    .sum()
            };
            (0..last).map(inside).collect()
        };
        let tables: Vec<Vec<usize>> = self.shapes.iter().map(of_shape).collect();
        layouts.iter().map(move |layout| {
            let of_field = layout
                .places
                .iter()
                .zip(&tables)
                .map(|(&place, table)| table[place]);
            (layout, of_field.sum())
        })
    }

    /// How much the reply is expected to tell about the layout, in bits: H(reply) - H(reply | layout).
    fn information(&self, layouts: &[Layout], question: &[usize]) -> f64 {
        let mut by_sum: Vec<f64> = Vec::new();
        for (layout, sum) in self.sums(layouts, question) {
            if by_sum.len() <= sum {
                by_sum.resize(sum + 1, 0.0);
            }
            by_sum[sum] += layout.weight;
        }
        if question.len() == 1 {
            return by_sum.into_iter().map(surprise).sum();
        }
        let mut replies: Vec<f64> = Vec::new();
        let mut noise = 0.0;
        for (sum, weight) in by_sum
            .into_iter()
            .enumerate()
            .filter(|(_, weight)| *weight > 0.0)
        {
            let normal = self.normal(question.len(), sum);
            let (low, high) = normal.usual_replies();
            if replies.len() <= high {
                replies.resize(high + 1, 0.0);
            }
            for (reply, total) in replies.iter_mut().enumerate().take(high + 1).skip(low) {
                let likelihood = normal.probability(reply);
                *total += weight * likelihood;
                noise += weight * surprise(likelihood);
            }
        }
        replies.into_iter().map(surprise).sum::<f64>() - noise
    }

    /// Bayes' rule.
    fn learn(&mut self, layouts: &mut Vec<Layout>, question: &[usize], reply: u32) {
        let sums: Vec<usize> = self.sums(layouts, question).map(|(_, sum)| sum).collect();
        for (layout, sum) in layouts.iter_mut().zip(sums) {
            layout.weight *= match question.len() {
                1 => f64::from(u8::from(sum == reply as usize)),
                count => self
                    .normal(count, sum)
                    .probability(reply as usize)
                    .max(1e-9),
            };
        }
        layouts.retain(|layout| layout.weight > 0.0);
        if let &[cell] = question {
            self.drilled[cell] = Some(reply as u8);
        }
    }

    /// What replies are before they are rounded, for a question of `count` cells with this sum.
    fn normal(&self, count: usize, sum: usize) -> Normal {
        let (count, sum) = (count as f64, sum as f64);
        Normal {
            mean: (count - sum) * self.eps + sum * (1.0 - self.eps),
            deviation: (count * self.eps * (1.0 - self.eps)).sqrt(),
        }
    }
}

/// The cells of a set, in ascending order.
fn cells_of(set: &Cells) -> impl Iterator<Item = usize> {
    let of_word = |(&word, first): (&u64, usize)| {
        (0..64)
            .filter(move |bit| word >> bit & 1 == 1)
            .map(move |bit| first + bit)
    };
    set.iter().zip((0..).step_by(64)).flat_map(of_word)
}

/// Places one field after the other.
struct Search<'a> {
    game: &'a Game,
    places: &'a [Vec<usize>],
    found: Vec<Layout>,
    looks: usize,
}

impl Search<'_> {
    /// `None` if it was too much.
    fn place(&mut self, placed: &mut Vec<usize>, left: &mut [Option<u8>]) -> Option<()> {
        self.looks += 1;
        if self.looks > LOOKS || self.found.len() > LAYOUTS {
            return None;
        }
        let Some(of_field) = self.places.get(placed.len()) else {
            if left.iter().all(|left| left.unwrap_or(0) == 0) {
                let mut oil = Cells::default();
                for (shape, place) in self.game.shapes.iter().zip(&*placed) {
                    for cell in shape.cells.iter().map(|cell| cell + place) {
                        oil[cell / 64] |= 1 << (cell % 64);
                    }
                }
                self.found.push(Layout {
                    places: placed.clone(),
                    oil,
                    weight: 1.0,
                });
            }
            return Some(());
        };
        let cells = &self.game.shapes[placed.len()].cells;
        for &place in of_field {
            if cells.iter().any(|cell| left[cell + place] == Some(0)) {
                continue;
            }
            let change = |left: &mut [Option<u8>], by: fn(u8) -> u8| {
                for cell in cells {
                    left[cell + place] = left[cell + place].map(by);
                }
            };
            change(left, |value| value - 1);
            placed.push(place);
            let done = self.place(placed, left);
            placed.pop();
            change(left, |value| value + 1);
            done?;
        }
        Some(())
    }
}
