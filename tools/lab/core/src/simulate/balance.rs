//! `balance`: weighings, by every policy that only looks at how a question splits the candidates.

use tester::problem::rng::CaseRng;

use super::adapter::{Adapter, Player, PolicyEntry, SelectedPolicy};
use crate::policy::{Cells, POLICIES, PolicyOption, Score};
use crate::solver::balance::{BalanceSolver, Piles, Reply, Sides, Weighing};
use crate::solver::pegs::{CELLS, Policy};

const RANDOM: PolicyEntry = PolicyEntry::new(
    "random",
    "any weighing that tells something",
    &[PolicyOption::Seed],
);
const SOLVER: PolicyEntry = PolicyEntry::new(
    "solver",
    "as ./solver plays: the fewest weighings, searched for",
    &[],
);

pub(super) struct Balance;

impl Adapter for Balance {
    fn name(&self) -> &'static str {
        "balance"
    }

    fn policies(&self) -> Vec<PolicyEntry> {
        let scored = POLICIES.iter().filter(|factory| factory.score.is_some());
        let scored = scored.map(|factory| PolicyEntry::new(factory.name, factory.about, &[]));
        [RANDOM].into_iter().chain(scored).chain([SOLVER]).collect()
    }

    fn player(
        &self,
        params: &[&str],
        policy: &SelectedPolicy,
        case: u64,
    ) -> Result<Box<dyn Player>, String> {
        let &[stones, kind] = params else {
            return Err(format!(
                "expected stones and heavy or odd, found {params:?}"
            ));
        };
        let stones = stones.parse().unwrap_or(0);
        let factory = POLICIES
            .iter()
            .find(|factory| factory.name == policy.entry.name);
        let choice = match factory.and_then(|factory| factory.score) {
            Some(score) => Choice::Best(score(&policy.options)),
            None if policy.entry.name == "random" => Choice::Any(policy.rng(case)),
            None => Choice::Solver,
        };
        Ok(Box::new(Weigher {
            solver: BalanceSolver::new(stones, kind, Policy::Optimal)?,
            choice,
            weighing: None,
        }))
    }
}

/// Which question is asked.
enum Choice {
    Solver,
    Best(Box<dyn Score>),
    Any(CaseRng),
}

struct Weigher {
    solver: BalanceSolver,
    choice: Choice,
    weighing: Option<Weighing>,
}

impl Player for Weigher {
    fn line(&mut self) -> Result<String, String> {
        if self.solver.posterior().support().is_empty() {
            return Err("the replies contradict each other".to_owned());
        }
        if let Some(line) = self.solver.answer() {
            return Ok(line);
        }
        let piles = self.solver.piles();
        let weighing = match &mut self.choice {
            Choice::Solver => self.solver.question(),
            Choice::Best(score) => self.solver.pick(&best(&piles, &**score)),
            Choice::Any(rng) => {
                let n = piles.candidates();
                let mut questions = piles.questions();
                questions.retain(|sides| !piles.sizes(sides).contains(&n));
                let which = rng.below(questions.len() as u64) as usize;
                self.solver.pick(&questions[which])
            }
        };
        Ok(self.weighing.insert(weighing).to_line())
    }

    fn learn(&mut self, reply: &str) -> Result<(), String> {
        let shown = Reply::from_word(reply)
            .ok_or_else(|| format!("expected <, = or >, found {reply:?}"))?;
        if let Some(weighing) = &self.weighing {
            self.solver.learn(weighing, shown);
        }
        Ok(())
    }
}

/// The question with the best score; of equal ones the smallest.
fn best(piles: &Piles, score: &dyn Score) -> Sides {
    let n = piles.candidates();
    let n_log_n: Vec<f64> = (0..=n)
        .map(|n| n as f64 * (n.max(1) as f64).log2())
        .collect();
    let mut counts = [0; CELLS];
    let mut best: Option<(f64, Sides)> = None;
    for sides in piles.questions() {
        for (count, size) in counts.iter_mut().zip(piles.sizes(&sides)) {
            *count = size as u32;
        }
        let value = score.score(&Cells {
            counts: &counts,
            weights: None,
            replies: &[0, 1, 2],
            win: CELLS - 1, // no weighing ends the game
            candidates: n,
            n_log_n: &n_log_n,
        });
        if best.is_none_or(|(most, _)| value > most + 1e-9) {
            best = Some((value, sides));
        }
    }
    best.expect("there is always something to weigh").1
}
