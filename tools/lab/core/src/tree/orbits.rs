//! What an opponent gains who knows the strategy and picks the secret that takes longest, and how much of that remains
//! when digits and places are renamed at random before each game.
//!
//! **Why renaming helps.** Let G be all renamings of digits together with all reorderings of places.
//! A reply does not change if secret and guess are both renamed by the same g. So a strategy that
//! draws g from G at random, plays its tree, and renames every guess, needs turns(g·s) for the secret
//! s, on average over g
//!
//! ```text
//! E(s) = 1/|G| · Σ_g turns(g·s) = mean of turns over the orbit G·s
//! ```
//!
//! because each code of the orbit is g·s for equally many g (the stabiliser's cosets). In `hitblow`
//! any code can be renamed into any other: there is one orbit, all secrets are equally hard, and no
//! choice of secret costs more than the mean. In `mastermind` the orbit of a code is all codes with as
//! many equal digits, so each such pattern has a difficulty of its own.

use std::collections::BTreeMap;

use super::walk::walk;
use crate::policy::Policy;
use crate::solver::bayes::Posterior;
use crate::solver::pegs::{CodeId, Codes};

/// The secrets that can be renamed into each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Orbit {
    /// How often the digits of a code appear, most frequent first: `[2, 1, 1]` for 7 0 7 3.
    pub shape: Vec<usize>,
    /// How many codes there are.
    pub codes: usize,
    /// Turns of its hardest code.
    pub worst: usize,
    /// One such code, the smallest.
    pub hardest: CodeId,
    /// Turns on average: what each of them takes after renaming.
    pub mean: f64,
}

/// The orbits of a strategy's tree over all secrets, by shape.
pub fn orbits(codes: &Codes, policy: &dyn Policy) -> Vec<Orbit> {
    let mut turns = vec![0; codes.len()];
    let root = Posterior::uniform(codes.len());
    walk(codes, &root, policy, &mut |secret, taken, _| {
        turns[secret as usize] = taken
    });
    let mut by_shape = BTreeMap::<Vec<usize>, Vec<CodeId>>::new();
    for code in 0..codes.len() as CodeId {
        by_shape.entry(shape(codes, code)).or_default().push(code);
    }
    by_shape
        .into_iter()
        .map(|(shape, members)| {
            let taken = |code: &CodeId| turns[*code as usize];
            let worst = members
                .iter()
                .map(taken)
                .max()
                .expect("an orbit has a code");
            let hardest = members.iter().find(|code| taken(code) == worst);
            Orbit {
                shape,
                codes: members.len(),
                worst,
                hardest: *hardest.expect("just found"),
                mean: members.iter().map(taken).sum::<usize>() as f64 / members.len() as f64,
            }
        })
        .collect()
}

/// How often the digits of a code appear, most frequent first. Codes can be renamed into each other if these are the same.
pub fn shape(codes: &Codes, code: CodeId) -> Vec<usize> {
    let mut digits = codes.digits(code).to_vec();
    digits.sort_unstable();
    let mut runs: Vec<usize> = digits.chunk_by(|a, b| a == b).map(<[u8]>::len).collect();
    runs.sort_unstable_by(|a, b| b.cmp(a));
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game;
    use crate::policy::{Options, select};

    /// Every arrangement of `items`.
    fn permutations(items: &[u8]) -> Vec<Vec<u8>> {
        let Some((&first, rest)) = items.split_first() else {
            return vec![vec![]];
        };
        let insert =
            |p: Vec<u8>| (0..=p.len()).map(move |at| [&p[..at], &[first], &p[at..]].concat());
        permutations(rest).into_iter().flat_map(insert).collect()
    }

    /// The mean over all renamings, each applied, of the turns of the renamed secret.
    fn mean_over_all_renamings(codes: &Codes, turns: &[usize], secret: CodeId) -> f64 {
        let digits: Vec<u8> = (0..codes.game.digits as u8).collect();
        let places: Vec<u8> = (0..codes.game.places as u8).collect();
        let (mut sum, mut count) = (0, 0);
        for names in permutations(&digits) {
            for order in permutations(&places) {
                let code = codes.digits(secret);
                let renamed: Vec<u8> = order
                    .iter()
                    .map(|&at| names[usize::from(code[usize::from(at)])])
                    .collect();
                let found = (0..codes.len() as CodeId).find(|&id| codes.digits(id) == renamed);
                sum += turns[found.unwrap() as usize];
                count += 1;
            }
        }
        sum as f64 / f64::from(count)
    }

    #[test]
    fn mean_of_the_orbit_is_the_mean_over_all_renamings() {
        for name in ["hitblow 3 5", "mastermind 3 4"] {
            let codes = game::codes(name).unwrap();
            let options = Options::default();
            let factory = select("mi", &options).unwrap();
            let policy = (factory.build)(&options);
            let mut turns = vec![0; codes.len()];
            let root = Posterior::uniform(codes.len());
            walk(&codes, &root, &*policy, &mut |s, taken, _| {
                turns[s as usize] = taken
            });
            let orbits = orbits(&codes, &*policy);
            assert_eq!(orbits.iter().map(|o| o.codes).sum::<usize>(), codes.len());
            for secret in 0..codes.len() as CodeId {
                let shape = shape(&codes, secret);
                let orbit = orbits.iter().find(|orbit| orbit.shape == shape).unwrap();
                let mean = mean_over_all_renamings(&codes, &turns, secret);
                assert!((orbit.mean - mean).abs() < 1e-12, "{name} {secret}");
            }
        }
    }

    #[test]
    fn hitblow_has_one_orbit() {
        let codes = game::codes("hitblow 3 10").unwrap();
        let options = Options::default();
        let factory = select("map", &options).unwrap();
        let orbits = orbits(&codes, &*(factory.build)(&options));
        // Article 002: 5.27 on average, and 9 at worst.
        assert_eq!(orbits.len(), 1);
        assert_eq!(
            (orbits[0].worst, format!("{:.2}", orbits[0].mean)),
            (9, "5.27".to_owned())
        );
    }
}
