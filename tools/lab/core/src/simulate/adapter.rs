//! What a problem needs to be played here: its policies, and a player for a game.

use tester::case::Seed;
use tester::problem::rng::CaseRng;

use crate::policy::{Options, PolicyOption};

/// How a problem is played.
pub trait Adapter: Sync {
    /// The problem's name.
    fn name(&self) -> &'static str;
    /// Its policies.
    fn policies(&self) -> Vec<PolicyEntry>;
    /// A player for one game of one of these policies. `case` makes random choices differ from game to
    /// game.
    ///
    /// # Errors
    /// If the solver cannot play with these parameters.
    fn player(
        &self,
        params: &[&str],
        policy: &SelectedPolicy,
        case: u64,
    ) -> Result<Box<dyn Player>, String>;
}

/// A policy as a list shows it.
#[derive(Clone, Copy)]
pub struct PolicyEntry {
    /// As it is typed.
    pub name: &'static str,
    /// In one line.
    pub about: &'static str,
    /// Which options it takes.
    pub takes: &'static [PolicyOption],
}

impl PolicyEntry {
    pub(super) const fn new(
        name: &'static str,
        about: &'static str,
        takes: &'static [PolicyOption],
    ) -> Self {
        Self { name, about, takes }
    }
}

/// A policy with its options.
#[derive(Clone, Copy)]
pub struct SelectedPolicy {
    /// The policy.
    pub entry: PolicyEntry,
    /// Only those that it takes are set.
    pub options: Options,
}

impl SelectedPolicy {
    /// Random numbers for a game. They differ from those that generate the case; otherwise the policy would seem to
    /// know the secret, or to avoid it.
    pub(super) fn rng(&self, case: u64) -> CaseRng {
        let seed = self.options.seed.unwrap_or_default();
        let other = case.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ seed.rotate_left(32);
        CaseRng::new(Seed(!other))
    }
}

/// The contestant of one game.
pub trait Player {
    /// The next line.
    ///
    /// # Errors
    /// If the replies contradict each other.
    fn line(&mut self) -> Result<String, String>;
    /// Takes the judge's reply.
    ///
    /// # Errors
    /// If it is not a reply.
    fn learn(&mut self, reply: &str) -> Result<(), String>;
}
