//! Which candidate tells most of the others apart.

#[cfg(target_arch = "x86_64")]
use super::lanes::has_avx2;
use super::space::{Id, Space};

/// As many candidates are compared; larger sets are split by no guess nearly completely.
pub(super) const MOST: usize = 64;

/// Of the candidates, one that tells most others apart: how many answers it lacks for telling all apart, up to 2, and
/// which.
///
/// # Panics
/// If there are more than [`MOST`].
pub(super) fn best_candidate(space: &Space, set: &[Id]) -> (u32, Id) {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the processor has what the code is compiled for.
        return unsafe { best_candidate_avx2(space, set) };
    }
    best_of(space, set)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn best_candidate_avx2(space: &Space, set: &[Id]) -> (u32, Id) {
    best_of(space, set)
}

#[inline(always)]
fn best_of(space: &Space, set: &[Id]) -> (u32, Id) {
    match space.places * space.digits {
        0..=64 => best_in(space, set, |bits| bits as u64, u64::count_ones),
        _ => best_in(space, set, |bits| bits, u128::count_ones),
    }
}

/// The bits of all are copied side by side, and the answers are computed: those in memory are far from each other.
#[inline(always)]
fn best_in<W: Copy + Default + std::ops::BitAnd<Output = W>>(
    space: &Space,
    set: &[Id],
    narrow: impl Fn(u128) -> W,
    count: impl Fn(W) -> u32,
) -> (u32, Id) {
    let mut all = [[W::default(); 2]; MOST];
    for (bits, &id) in all[..set.len()].iter_mut().zip(set) {
        *bits = space.bits(id).map(&narrow);
    }
    let all = &all[..set.len()];
    let mut best = (2, set[0]);
    for (own, &guess) in all.iter().zip(set) {
        let (mut seen, mut lacks) = (0_u64, 0);
        for other in all {
            let answer = space.answer(count(own[0] & other[0]), count(own[1] & other[1]));
            let answer = 1 << (answer % 64);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::codes;
    use tester::problem::rng::{CaseRng, Seed};

    #[test]
    fn the_best_candidate_is_that_of_counting_answers() {
        let mut draw = CaseRng::new(Seed(5));
        let mut seen = [0; 3];
        for game in [
            "hitblow 3 8",
            "mastermind 4 4",
            "mastermind 3 30",
            "hitblow 6 7",
        ] {
            let space = Space::new(&codes(game).unwrap());
            let mut all: Vec<Id> = (0..space.len() as Id).collect();
            for round in 0..300 {
                draw.shuffle(&mut all);
                let set = &all[..3 + round % 12];
                let lacks = |&guess: &Id| {
                    let answers = set.iter().map(|&id| space.row(guess)[usize::from(id)]);
                    let different: std::collections::BTreeSet<u8> = answers.collect();
                    set.len() - different.len()
                };
                let (found, guess) = best_candidate(&space, set);
                let least = set.iter().map(lacks).min().unwrap();
                assert_eq!(found as usize, least.min(2), "{game} {set:?}");
                assert!(least >= 2 || lacks(&guess) == least);
                seen[least.min(2)] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
    }
}
