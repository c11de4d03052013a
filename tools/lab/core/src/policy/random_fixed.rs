//! The random choice of article 001's program: the same random number in each turn.

use super::options::PolicyOption;
use super::traits::{Node, Policy, PolicyFactory};
use crate::solver::pegs::CodeId;

pub(super) static RANDOM_FIXED: PolicyFactory = PolicyFactory::new(
    "random-fixed",
    "any candidate, by the same random number in each turn (random in article 001)",
    // It takes any candidate, so pool and tie rule change nothing.
    &[PolicyOption::Pool, PolicyOption::Tie, PolicyOption::Seed],
    |options| {
        let number = first_output(options.seed.unwrap_or_default() as u32);
        Box::new(Fixed { number })
    },
);

/// The article's program makes its generator anew for each guess, so it always draws this number.
struct Fixed {
    number: u32,
}

impl Policy for Fixed {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        let support = node.posterior.support();
        support[place(self.number, support.len())]
    }
}

/// The place among `n` that a number of 32 bits stands for, as libstdc++ scales it. About one number in 2^32 / n is
/// drawn anew there, which this does not do; no game of the article needs it.
fn place(number: u32, n: usize) -> usize {
    ((u64::from(number) * n as u64) >> 32) as usize
}

/// What `std::mt19937` with this seed gives first.
fn first_output(seed: u32) -> u32 {
    let mut state = [seed; 398];
    for i in 1..state.len() {
        let before = state[i - 1];
        let mixed = 1_812_433_253_u32.wrapping_mul(before ^ (before >> 30));
        state[i] = mixed.wrapping_add(i as u32);
    }
    let joined = (state[0] & 0x8000_0000) | (state[1] & 0x7fff_ffff);
    let odd = if joined & 1 == 1 { 0x9908_b0df } else { 0 };
    let mut word = state[397] ^ (joined >> 1) ^ odd;
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c_5680;
    word ^= (word << 15) & 0xefc6_0000;
    word ^ (word >> 18)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_outputs_are_those_of_the_mersenne_twister() {
        // 0: the number that reproduces article 001. 5489: the generator's default seed, whose outputs begin with
        // 3499211612. 1: the reference implementation's init_genrand(1).
        assert_eq!(first_output(0), 2_357_136_044);
        assert_eq!(first_output(5489), 3_499_211_612);
        assert_eq!(first_output(1), 1_791_095_845);
    }

    #[test]
    fn the_article_s_number_is_never_drawn_anew() {
        // libstdc++ draws again if the low half of number · n is below 2^32 mod n.
        for n in 1..=3125_u64 {
            let low = (2_357_136_044 * n) & 0xffff_ffff;
            assert!(low >= (1 << 32) % n, "{n}");
        }
    }

    #[test]
    fn a_number_is_scaled_to_the_candidates() {
        // 2357136044 / 2^32 = 0.54881.
        assert_eq!(
            [1, 2, 10, 256].map(|n| place(2_357_136_044, n)),
            [0, 1, 5, 140]
        );
    }
}
