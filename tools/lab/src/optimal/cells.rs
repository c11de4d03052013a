//! How many candidates each answer leaves, for many guesses at once.
//!
//! With up to 64 candidates, one bit of a word stands for each. For each token (a digit at a place, say) a
//! word tells which candidates have it; adding the words of a guess's tokens bit by bit counts, for all
//! candidates at once, the hits and the digits in common. The words are no longer than they must be, and a
//! register holds 4 to 32 guesses' words: the compiler is asked for code for processors with AVX2 beside that
//! for any, and which one runs is decided by what is there.

use super::space::{Id, MAX_PLACES, Space, TOKENS};

/// Which candidates have which token.
struct Masks {
    at_place: [u64; TOKENS],
    whatever_place: [u64; TOKENS],
    count: usize,
}

/// As many candidates fit into a word.
pub(super) const MOST: usize = 64;

/// For each guess, the least that it can cost to go on with it if only the number of candidates in each cell
/// counts and turns are not limited; at least, for a guess that tells nothing. Stops after the first guesses
/// among which one costs `enough`.
///
/// # Panics
/// If the set has more than [`MOST`] candidates.
pub(super) fn least_costs(
    space: &Space,
    set: &[Id],
    guesses: &[Id],
    enough: Option<u32>,
) -> Vec<u16> {
    assert!(set.len() <= MOST);
    let mut masks = Masks {
        at_place: [0; TOKENS],
        whatever_place: [0; TOKENS],
        count: set.len(),
    };
    for (number, &id) in set.iter().enumerate() {
        for place in 0..space.places {
            masks.at_place[usize::from(space.at_place(id)[place])] |= 1 << number;
            masks.whatever_place[usize::from(space.whatever_place(id)[place])] |= 1 << number;
        }
    }
    let enough = enough.map_or(u16::MAX, |cost| cost as u16);
    let run = match set.len() {
        0..=8 => words_of_8::run,
        9..=16 => words_of_16::run,
        17..=32 => words_of_32::run,
        _ => words_of_64::run,
    };
    run(space, &masks, guesses, enough)
}

macro_rules! words {
    ($module:ident, $word:ty, $lanes:literal) => {
        mod $module {
            use super::*;

            const LANES: usize = $lanes;
            type Words = [$word; LANES];

            pub(super) fn run(
                space: &Space,
                masks: &Masks,
                guesses: &[Id],
                enough: u16,
            ) -> Vec<u16> {
                #[cfg(target_arch = "x86_64")]
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
                    // SAFETY: the processor has what the code is compiled for.
                    return unsafe { run_avx2(space, masks, guesses, enough) };
                }
                choose(space, masks, guesses, enough)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,popcnt")]
            fn run_avx2(space: &Space, masks: &Masks, guesses: &[Id], enough: u16) -> Vec<u16> {
                choose(space, masks, guesses, enough)
            }

            /// With the number of places known, loops over them are unrolled.
            #[inline(always)]
            fn choose(space: &Space, masks: &Masks, guesses: &[Id], enough: u16) -> Vec<u16> {
                let all = match space.places {
                    1 => all::<1>,
                    2 => all::<2>,
                    3 => all::<3>,
                    4 => all::<4>,
                    5 => all::<5>,
                    6 => all::<6>,
                    _ => all::<MAX_PLACES>,
                };
                all(space, masks, guesses, enough)
            }

            #[inline(always)]
            fn all<const P: usize>(
                space: &Space,
                masks: &Masks,
                guesses: &[Id],
                enough: u16,
            ) -> Vec<u16> {
                let at_place = masks.at_place.map(|mask| mask as $word);
                let whatever_place = masks.whatever_place.map(|mask| mask as $word);
                let everybody = <$word>::MAX >> (<$word>::BITS as usize - masks.count);
                let mut costs = Vec::with_capacity(guesses.len() + LANES);
                for some in guesses.chunks(LANES) {
                    let (mut hits, mut common) = ([[0; LANES]; P], [[0; LANES]; P]);
                    for (lane, &guess) in some.iter().enumerate() {
                        let (a, b) = (space.at_place(guess), space.whatever_place(guess));
                        for place in 0..P {
                            hits[place][lane] = at_place[usize::from(a[place]) % TOKENS];
                            common[place][lane] = whatever_place[usize::from(b[place]) % TOKENS];
                        }
                    }
                    let (hits, common) = (count(&hits, everybody), count(&common, everybody));
                    let cost = cost::<P>(&hits, &common, masks.count, space.win());
                    costs.extend_from_slice(&cost[..some.len()]);
                    if cost.iter().fold(false, |any, &cost| any | (cost == enough)) {
                        break;
                    }
                }
                costs
            }

            /// Of which candidates 0, 1, 2, … of the words have a bit.
            #[inline(always)]
            fn count<const P: usize>(words: &[Words; P], everybody: $word) -> [Words; 8] {
                let mut counts = [[0; LANES]; 8];
                for lane in 0..LANES {
                    let (mut ones, mut twos, mut fours): ($word, $word, $word) = (0, 0, 0);
                    for word in words {
                        let carry = ones & word[lane];
                        ones ^= word[lane];
                        fours |= twos & carry;
                        twos ^= carry;
                    }
                    let of = |bit: usize, word: $word| if bit != 0 { word } else { !word };
                    for (number, counted) in counts.iter_mut().enumerate() {
                        let all =
                            of(number & 1, ones) & of(number & 2, twos) & of(number & 4, fours);
                        counted[lane] = all & everybody;
                    }
                }
                counts
            }

            /// n, and for each other answer with z candidates the greatest of 0, 2z − 1 and 3z − (b + 2): what
            /// [`least`](super::super::bounds) says of up to 1 + b + b² candidates, and less of more.
            #[inline(always)]
            fn cost<const P: usize>(
                hits: &[Words; 8],
                common: &[Words; 8],
                count: usize,
                other_answers: usize,
            ) -> [u16; LANES] {
                let mut cost = [count as i16; LANES];
                let two_more = other_answers as i16 + 2;
                for both in 0..=P {
                    for hit in 0..=both.min(P - 1) {
                        for lane in 0..LANES {
                            let cell = hits[hit][lane] & common[both][lane];
                            let size = cell.count_ones() as i16;
                            cost[lane] += (2 * size - 1).max(3 * size - two_more).max(0);
                        }
                    }
                }
                cost.map(|cost| cost as u16)
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
    use super::*;
    use crate::game::codes;
    use tools::draw::{Draw, Seed};

    #[test]
    fn costs_are_those_of_the_cells() {
        let mut draw = Draw::new(Seed(7));
        for game in [
            "hitblow 1 9",
            "hitblow 3 8",
            "mastermind 4 4",
            "mastermind 5 3",
            "hitblow 6 7",
        ] {
            let space = Space::new(&codes(game).unwrap());
            let guesses: Vec<Id> = (0..space.len() as Id).collect();
            let bounds = Bounds::new(MOST, space.win());
            for count in [3, 8, 9, 16, 17, 32, 33, 63, 64] {
                if count > space.len() {
                    continue;
                }
                let mut set = guesses.clone();
                draw.shuffle(&mut set);
                set.truncate(count);
                let costs = least_costs(&space, &set, &guesses, None);
                for (&guess, &cost) in guesses.iter().zip(&costs) {
                    let mut sizes = vec![0; space.answers()];
                    set.iter()
                        .for_each(|&id| sizes[usize::from(space.row(guess)[usize::from(id)])] += 1);
                    let others = sizes[..space.win()]
                        .iter()
                        .map(|&size| bounds.least(size, ANY));
                    let least = count as u32 + others.sum::<u32>();
                    // Where fewer answers than places exist the formula may be below, never above.
                    let exact = space.win() >= 8;
                    let cost = u32::from(cost);
                    assert!(
                        cost == least || !exact && cost < least,
                        "{game} {count}: {cost} {least}"
                    );
                }
            }
        }
    }
}
