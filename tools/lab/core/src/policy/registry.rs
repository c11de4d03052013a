//! The list of all policies.

use super::options::{Options, PolicyError, check};
use super::traits::PolicyFactory;
use super::{
    expected_size, map, mi, mi_rounded, minmax, parts, random, random_candidate, random_fixed,
};

/// Every policy, in the order in which help texts list them.
pub static POLICIES: &[&PolicyFactory] = &[
    &random::RANDOM,
    &random_candidate::RANDOM_CANDIDATE,
    &random_fixed::RANDOM_FIXED,
    &map::MAP,
    &mi::MI,
    &mi_rounded::MI_ROUNDED,
    &minmax::MIN_MAX,
    &expected_size::EXPECTED_SIZE,
    &parts::PARTS,
];

/// The policy of that name, which takes these options.
///
/// # Errors
/// If there is none, or it does not take them.
pub fn select(name: &str, options: &Options) -> Result<&'static PolicyFactory, PolicyError> {
    let Some(&factory) = POLICIES.iter().find(|factory| factory.name == name) else {
        let known: Vec<&str> = POLICIES.iter().map(|factory| factory.name).collect();
        return Err(PolicyError::Unknown {
            known: known.join(", "),
            found: name.to_owned(),
        });
    };
    check(factory.name, factory.takes, options)?;
    Ok(factory)
}
