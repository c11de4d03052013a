//! What a case costs with each policy, against eps and M.

use std::ops::Range;
use std::sync::Arc;

use ahc030::generate::{FixedParameters, generate};
use rayon::prelude::*;
use serde::Serialize;

use super::table::Table;
use crate::oil_solver::Settings;

/// The policies, as [`Settings::policy`] numbers them, each with its name.
pub const POLICIES: [(f64, &str); 3] = [
    (2.0, "most probable"),
    (1.0, "information"),
    (0.0, "information for cost"),
];

/// One case with its cost under each of [`POLICIES`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Played {
    /// The seed of the case.
    pub seed: u64,
    /// The number of fields.
    pub fields: usize,
    /// How noisy replies are.
    pub eps: f64,
    /// As the contest counts it: 1000 if it was not solved.
    pub costs: [f64; POLICIES.len()],
}

/// Plays the official cases of these seeds with each policy. Calls `played` after each game.
pub fn costs(seeds: Range<u64>, settings: Settings, played: &(dyn Fn() + Sync)) -> Vec<Played> {
    let of_seed = |seed: u64| {
        let case = Arc::new(generate(seed, FixedParameters::default()));
        let cost = |(policy, _): (f64, &str)| {
            let mut table = Table::new(&case, Settings { policy, ..settings });
            while !table.is_over() {
                let operation = table.player.choose(1.0);
                let reply = table.play(&operation);
                reply.expect("the submission keeps the rules");
            }
            played();
            table.score()
        };
        Played {
            seed,
            fields: case.layout.fields().len(),
            eps: case.eps.value(),
            costs: POLICIES.map(cost),
        }
    };
    seeds.into_par_iter().map(of_seed).collect()
}

/// Cases with a parameter in the same range.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// The least and the greatest value, both included.
    pub range: (f64, f64),
    /// How many cases.
    pub cases: usize,
    /// Geometric means of their costs, of those that have any case.
    pub means: [f64; POLICIES.len()],
}

/// Groups of eps.
pub const EPS_RANGES: [(f64, f64); 4] = [(0.01, 0.05), (0.06, 0.10), (0.11, 0.15), (0.16, 0.20)];
/// Groups of M.
pub const FIELD_RANGES: [(f64, f64); 4] = [(2.0, 3.0), (4.0, 6.0), (7.0, 10.0), (11.0, 20.0)];

/// The groups that have a case.
pub fn groups(
    played: &[Played],
    ranges: &[(f64, f64)],
    parameter: impl Fn(&Played) -> f64,
) -> Vec<Group> {
    let group = |&(first, last): &(f64, f64)| {
        // eps is written with two decimals and is no exact number.
        let inside = |p: &&Played| (first - 1e-9..=last + 1e-9).contains(&parameter(p));
        let cases: Vec<&Played> = played.iter().filter(inside).collect();
        Group {
            range: (first, last),
            cases: cases.len(),
            means: geometric_means(cases.into_iter()),
        }
    };
    let groups = ranges.iter().map(group);
    groups.filter(|group| group.cases > 0).collect()
}

/// The geometric mean of each policy.
pub fn geometric_means<'a>(
    played: impl Iterator<Item = &'a Played> + Clone,
) -> [f64; POLICIES.len()] {
    let count = played.clone().count() as f64;
    std::array::from_fn(|policy| {
        let logs = played.clone().map(|case| case.costs[policy].ln());
        (logs.sum::<f64>() / count).exp()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_geometric_and_groups_by_range() {
        let case = |eps: f64, cost: f64| Played {
            seed: 0,
            fields: 2,
            eps,
            costs: [cost, 2.0 * cost, 1.0],
        };
        let played = [case(0.05, 1.0), case(0.01, 4.0), case(0.2, 9.0)];
        let groups = groups(&played, &EPS_RANGES, |case| case.eps);
        let rows: Vec<_> = groups
            .iter()
            .map(|group| (group.range, group.cases))
            .collect();
        assert_eq!(rows, [((0.01, 0.05), 2), ((0.16, 0.20), 1)]);
        for (mean, expected) in groups[0].means.iter().zip([2.0, 4.0, 1.0]) {
            assert!((mean - expected).abs() < 1e-12);
        }
        assert_eq!(
            super::groups(&played, &FIELD_RANGES, |case| case.fields as f64).len(),
            1
        );
    }

    #[test]
    fn information_for_cost_is_cheaper_than_drilling() {
        let settings = Settings {
            work: 2e6,
            ..Settings::default()
        };
        let played = costs(0..3, settings, &|| ());
        assert_eq!(
            played.iter().map(|case| case.seed).collect::<Vec<_>>(),
            [0, 1, 2]
        );
        let [probable, _, rate] = geometric_means(played.iter());
        assert!(rate < probable, "{rate} {probable}");
    }
}
