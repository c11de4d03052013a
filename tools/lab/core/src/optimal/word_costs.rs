//! What guesses cost at least on a set of up to 64 candidates, for several guesses at once.
//!
//! Words are no longer than the set needs, and a register holds those of 4 to 32 guesses. The compiler makes code for
//! processors with AVX2 and for any other; which one runs is decided at run time.

use super::bounds::{IMPOSSIBLE, least_of_parts};
use super::guesses::{Bag, Guesses};
#[cfg(target_arch = "x86_64")]
use super::lanes::has_avx2;
use super::lanes::{Word, counted};
use super::space::{Id, MAX_PLACES, TOKENS};
use super::words::Words;

impl Words<'_> {
    /// For each bag, a lower bound of what its guesses cost. It follows from the numbers of candidates by how many
    /// digits they share with the bag. `table` has the least cost by number of candidates.
    pub(super) fn bag_costs(&self, bags: &[Bag], table: &[u32]) -> Vec<u32> {
        match self.count {
            0..=8 => words_of_8::bag_costs(self, bags, table),
            9..=16 => words_of_16::bag_costs(self, bags, table),
            17..=32 => words_of_32::bag_costs(self, bags, table),
            _ => words_of_64::bag_costs(self, bags, table),
        }
    }

    /// For each guess of a bag, the least that it can cost if only the number of candidates in each cell
    /// counts and turns are not limited; at least, for a guess that tells nothing. Those below `budget` are appended
    /// to `costs`; the least of the others is returned.
    pub(super) fn guess_costs(
        &self,
        bag: &Bag,
        guesses: &Guesses,
        budget: u32,
        costs: &mut Vec<(u32, Id)>,
    ) -> u32 {
        let ids = guesses.of(bag);
        match self.count {
            0..=8 => words_of_8::guess_costs(self, bag, ids, budget, costs),
            9..=16 => words_of_16::guess_costs(self, bag, ids, budget, costs),
            17..=32 => words_of_32::guess_costs(self, bag, ids, budget, costs),
            _ => words_of_64::guess_costs(self, bag, ids, budget, costs),
        }
    }
}

/// With the number of places known, loops over them are unrolled.
macro_rules! by_places {
    ($places:expr, $function:ident($arguments:tt)) => {
        match $places {
            1 => $function::<1> $arguments,
            2 => $function::<2> $arguments,
            3 => $function::<3> $arguments,
            4 => $function::<4> $arguments,
            5 => $function::<5> $arguments,
            6 => $function::<6> $arguments,
            _ => $function::<MAX_PLACES> $arguments,
        }
    };
}

macro_rules! words {
    ($module:ident, $word:ty, $lanes:literal) => {
        impl Word for $word {}

        mod $module {
            use super::*;

            const LANES: usize = $lanes;

            pub(super) fn bag_costs(words: &Words<'_>, bags: &[Bag], table: &[u32]) -> Vec<u32> {
                #[cfg(target_arch = "x86_64")]
                if has_avx2() {
                    // SAFETY: the processor has what the code is compiled for.
                    return unsafe { bag_costs_avx2(words, bags, table) };
                }
                by_places!(words.space.places, bag_costs_at((words, bags, table)))
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,popcnt")]
            fn bag_costs_avx2(words: &Words<'_>, bags: &[Bag], table: &[u32]) -> Vec<u32> {
                by_places!(words.space.places, bag_costs_at((words, bags, table)))
            }

            #[inline(always)]
            fn bag_costs_at<const P: usize>(
                words: &Words<'_>,
                bags: &[Bag],
                table: &[u32],
            ) -> Vec<u32> {
                let whatever_place = words.whatever_place.map(|word| word as $word);
                let candidates = <$word>::MAX >> (<$word>::BITS as usize - words.count);
                let mut costs = Vec::with_capacity(bags.len() + LANES);
                for some in bags.chunks(LANES) {
                    let mut common = [[0; LANES]; P];
                    for (lane, bag) in some.iter().enumerate() {
                        for place in 0..P {
                            common[place][lane] =
                                whatever_place[usize::from(bag.tokens[place]) % TOKENS];
                        }
                    }
                    let common = counted(&common, candidates);
                    if words.count <= 16 {
                        costs.extend_from_slice(&few::<P>(words.count, some, &common));
                    } else {
                        costs.extend_from_slice(&many::<P>(words.count, some, &common, table));
                    }
                    costs.truncate(costs.len() - (LANES - some.len()));
                }
                costs
            }

            /// 3 for each candidate, less one for each cell but the winning one, and two for that: so much n
            /// candidates cost at least if cells with z of them cost 2z − 1.
            #[inline(always)]
            fn few<const P: usize>(
                count: usize,
                bags: &[Bag],
                common: &[[$word; LANES]; 8],
            ) -> [u32; LANES] {
                let mut most = [[0_u8; LANES]; 8];
                for (lane, bag) in bags.iter().enumerate() {
                    for both in 0..=P {
                        most[both][lane] = bag.most[both];
                    }
                }
                let mut less = [0_u8; LANES];
                for both in 0..P {
                    for lane in 0..LANES {
                        let size = common[both][lane].count_ones() as u8;
                        less[lane] += size.min(most[both][lane]);
                    }
                }
                for lane in 0..LANES {
                    let size = common[P][lane].count_ones() as u8;
                    let others = size.saturating_sub(1).min(most[P][lane]);
                    less[lane] += others + 2 * (size != 0) as u8;
                }
                less.map(|less| 3 * count as u32 - u32::from(less))
            }

            #[inline(always)]
            fn many<const P: usize>(
                count: usize,
                bags: &[Bag],
                common: &[[$word; LANES]; 8],
                table: &[u32],
            ) -> [u32; LANES] {
                let mut costs = [0; LANES];
                for (lane, bag) in bags.iter().enumerate() {
                    let mut cost = count as u32;
                    for both in 0..=P {
                        let size = common[both][lane].count_ones() as usize;
                        // The winning one costs nothing.
                        let size = if both == P {
                            size.saturating_sub(1)
                        } else {
                            size
                        };
                        cost += least_of_parts(table, size, usize::from(bag.most[both]));
                    }
                    costs[lane] = cost.min(IMPOSSIBLE);
                }
                costs
            }

            pub(super) fn guess_costs(
                words: &Words<'_>,
                bag: &Bag,
                ids: &[Id],
                budget: u32,
                costs: &mut Vec<(u32, Id)>,
            ) -> u32 {
                #[cfg(target_arch = "x86_64")]
                if has_avx2() {
                    // SAFETY: the processor has what the code is compiled for.
                    return unsafe { guess_costs_avx2(words, bag, ids, budget, costs) };
                }
                by_places!(
                    words.space.places,
                    guess_costs_at((words, bag, ids, budget, costs))
                )
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,popcnt")]
            fn guess_costs_avx2(
                words: &Words<'_>,
                bag: &Bag,
                ids: &[Id],
                budget: u32,
                costs: &mut Vec<(u32, Id)>,
            ) -> u32 {
                by_places!(
                    words.space.places,
                    guess_costs_at((words, bag, ids, budget, costs))
                )
            }

            #[inline(always)]
            fn guess_costs_at<const P: usize>(
                words: &Words<'_>,
                bag: &Bag,
                ids: &[Id],
                budget: u32,
                costs: &mut Vec<(u32, Id)>,
            ) -> u32 {
                let candidates = <$word>::MAX >> (<$word>::BITS as usize - words.count);
                let mut common = [[0; 1]; P];
                for place in 0..P {
                    let token = usize::from(bag.tokens[place]) % TOKENS;
                    common[place] = [words.whatever_place[token] as $word];
                }
                let common = counted(&common, candidates).map(|word| word[0]);
                let mut others_cost = IMPOSSIBLE;
                for some in ids.chunks(LANES) {
                    let mut hits = [[0; LANES]; P];
                    for (lane, &id) in some.iter().enumerate() {
                        let tokens = words.space.at_place(id);
                        for place in 0..P {
                            let token = usize::from(tokens[place]) % TOKENS;
                            hits[place][lane] = words.at_place[token] as $word;
                        }
                    }
                    let hits = counted(&hits, candidates);
                    let cost = match words.count {
                        0..=16 => by_cells::<P>(words.count, &hits, &common),
                        _ => by_sizes::<P>(words, &hits, &common),
                    };
                    let least = cost[..some.len()].iter().fold(IMPOSSIBLE, |a, &b| a.min(b));
                    if least >= budget {
                        others_cost = others_cost.min(least);
                        continue;
                    }
                    for (cost, &id) in cost.into_iter().zip(some) {
                        match cost < budget {
                            true => costs.push((cost, id)),
                            false => others_cost = others_cost.min(cost),
                        }
                    }
                }
                others_cost
            }

            #[inline(always)]
            fn by_cells<const P: usize>(
                count: usize,
                hits: &[[$word; LANES]; 8],
                common: &[$word; 8],
            ) -> [u32; LANES] {
                let mut less: [$word; LANES] = [0; LANES];
                for both in 0..=P {
                    for hit in 0..=both.min(P - 1) {
                        for lane in 0..LANES {
                            let cell = hits[hit][lane] & common[both];
                            less[lane] += (cell != 0) as $word;
                        }
                    }
                }
                for lane in 0..LANES {
                    less[lane] += 2 * (hits[P][lane] != 0) as $word;
                }
                less.map(|less| 3 * count as u32 - less as u32)
            }

            /// n, and for each other answer with z candidates the greatest of 0, 2z − 1 and 3z − (b + 2): what
            /// [`least`](super::super::bounds) says of up to 1 + b + b² candidates, and less of more.
            #[inline(always)]
            fn by_sizes<const P: usize>(
                words: &Words<'_>,
                hits: &[[$word; LANES]; 8],
                common: &[$word; 8],
            ) -> [u32; LANES] {
                let mut cost = [words.count as i16; LANES];
                let two_more = words.space.win() as i16 + 2;
                for both in 0..=P {
                    for hit in 0..=both.min(P - 1) {
                        for lane in 0..LANES {
                            let cell = hits[hit][lane] & common[both];
                            let size = cell.count_ones() as i16;
                            cost[lane] += (2 * size - 1).max(3 * size - two_more).max(0);
                        }
                    }
                }
                cost.map(|cost| cost as u32)
            }
        }
    };
}

words!(words_of_8, u8, 32);
words!(words_of_16, u16, 16);
words!(words_of_32, u32, 8);
words!(words_of_64, u64, 4);

#[cfg(test)]
mod tests {
    use super::super::bounds::{ANY, Bounds};
    use super::super::guesses::Lists;
    use super::super::space::Space;
    use super::super::symmetry::Names;
    use super::super::words::MOST;
    use super::*;
    use crate::game::codes;
    use tester::problem::rng::{CaseRng, Seed};

    #[test]
    fn costs_are_those_of_the_cells() {
        let mut draw = CaseRng::new(Seed(7));
        for game in [
            "hitblow 1 9",
            "hitblow 3 8",
            "mastermind 4 4",
            "mastermind 5 3",
            "hitblow 6 7",
        ] {
            let space = Space::new(&codes(game).unwrap());
            let all: Vec<Id> = (0..space.len() as Id).collect();
            let bounds = Bounds::new(MOST, space.win());
            for count in [3, 8, 9, 16, 17, 32, 33, 63, 64] {
                if count > space.len() {
                    continue;
                }
                let mut set = all.clone();
                draw.shuffle(&mut set);
                set.truncate(count);
                set.sort_unstable();
                let words = Words::new(&space, &set);
                let guesses = Lists::new(true).of(&space, &set, &Names::new(&space, &set));
                let bag_costs = words.bag_costs(&guesses.bags, bounds.table(ANY));
                for (bag, bag_cost) in guesses.bags.iter().zip(bag_costs) {
                    let mut costs = Vec::new();
                    let others_cost = words.guess_costs(bag, &guesses, IMPOSSIBLE, &mut costs);
                    assert_eq!(others_cost, IMPOSSIBLE);
                    assert_eq!(costs.len(), guesses.of(bag).len());
                    for (cost, guess) in costs {
                        compare(&space, &set, &bounds, &words, guess, [bag_cost, cost]);
                    }
                }
            }
        }
    }

    fn compare(
        space: &Space,
        set: &[Id],
        bounds: &Bounds,
        words: &Words<'_>,
        guess: Id,
        [bag_cost, cost]: [u32; 2],
    ) {
        let mut cells = [0_u64; 64];
        for (number, &id) in set.iter().enumerate() {
            cells[usize::from(space.row(guess)[usize::from(id)])] |= 1 << number;
        }
        assert_eq!(words.split(guess), cells);
        let sizes = cells[..space.win()]
            .iter()
            .map(|cell| cell.count_ones() as usize);
        let least = set.len() as u32
            + sizes
                .clone()
                .map(|size| bounds.least(size, ANY))
                .sum::<u32>();
        // Where cells are larger than answers are many, the formula may be below, never above.
        let exact = space.win() >= 8 && (set.len() > 16 || sizes.max() <= Some(space.win() + 1));
        assert!(cost == least || !exact && cost < least, "{cost} {least}");
        assert!(bag_cost <= cost.max(least), "{bag_cost} {cost}");
    }
}
