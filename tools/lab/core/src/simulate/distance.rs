//! `distance` and `gap`: noisy differences, with their sign or without.

use tester::problem::Instance;
use tester::problem::rng::CaseRng;

use super::adapter::{Adapter, Player, PolicyEntry, SelectedPolicy};
use super::difference_alone::DifferenceAlone;
use super::two_steps::TwoSteps;
use crate::policy::PolicyOption;
use crate::solver::distance::{Difference, DistanceSolver};
use crate::solver::pegs::{CodeId, Game, Policy};

const POLICIES: [PolicyEntry; 8] = [
    PolicyEntry::new("random", "any code not yet guessed, replies unused", SEED),
    PolicyEntry::new("random-candidate", "a code drawn from the posterior", SEED),
    PolicyEntry::new("map", "the most probable code", &[]),
    PolicyEntry::new(
        "mi",
        "most mutual information, with a bonus for the right guess",
        HIT_BONUS,
    ),
    PolicyEntry::new(
        "mi-turns",
        "the same, with the bonus in turns: 1 is what this turn tells at most",
        HIT_BONUS,
    ),
    PolicyEntry::new(
        "mi-difference",
        "most mutual information of the difference alone, whatever c says",
        &[],
    ),
    PolicyEntry::new(
        "two-steps",
        "most probably right now or in the next turn",
        &[],
    ),
    PolicyEntry::new(
        "solver",
        "as ./solver plays: mi-turns, --hit-bonus 1 for distance and 6 for gap",
        &[],
    ),
];
const SEED: &[PolicyOption] = &[PolicyOption::Seed];
const HIT_BONUS: &[PolicyOption] = &[PolicyOption::HitBonus];

/// The adapter of one of the two games.
pub(super) struct Distance(pub(super) Difference);

/// The game that is called so; `None` if it is another one.
pub fn difference_of(name: &str) -> Option<Difference> {
    match name {
        "distance" => Some(Difference::Signed),
        "gap" => Some(Difference::Size),
        _ => None,
    }
}

/// Whether this names one of the two games, such as `gap 3 10 10`.
pub fn is_noisy_game(problem: &str) -> bool {
    let name = problem.split_ascii_whitespace().next();
    name.and_then(difference_of).is_some()
}

impl Adapter for Distance {
    fn name(&self) -> &'static str {
        match self.0 {
            Difference::Signed => "distance",
            Difference::Size => "gap",
        }
    }

    fn policies(&self) -> Vec<PolicyEntry> {
        POLICIES.to_vec()
    }

    fn player(
        &self,
        params: &[&str],
        policy: &SelectedPolicy,
        case: u64,
    ) -> Result<Box<dyn Player>, String> {
        let solver = |policy| solver(self.0, params, policy);
        Ok(match policy.entry.name {
            "random" => Box::new(RandomOrder::new(self.name(), params, policy.rng(case))?),
            "random-candidate" => Box::new(PosteriorSampler {
                guesser: SolverPlayer::new(solver(Policy::Map)?),
                rng: policy.rng(case),
            }),
            "map" => Box::new(SolverPlayer::new(solver(Policy::Map)?)),
            "mi-turns" => {
                let turns = policy.options.hit_bonus.unwrap_or(1.0);
                let mut solver = solver(Policy::Optimal)?;
                solver.turns_of_a_hit = turns;
                Box::new(SolverPlayer::new(solver))
            }
            "two-steps" => Box::new(ByRule {
                guesser: SolverPlayer::new(solver(Policy::Map)?),
                rule: Rule::TwoSteps(TwoSteps::new(self.0, sigma_of(params))),
            }),
            "mi-difference" => Box::new(ByRule {
                guesser: SolverPlayer::new(solver(Policy::Map)?),
                rule: Rule::DifferenceAlone(DifferenceAlone::new(self.0, sigma_of(params))),
            }),
            "mi" => {
                let hit_bonus = policy.options.hit_bonus.unwrap_or(0.0);
                Box::new(SolverPlayer::new(solver(Policy::Mi { hit_bonus })?))
            }
            _ => Box::new(SolverPlayer::new(solver(Policy::Optimal)?)),
        })
    }
}

/// The solver for the words after the problem's name, which the judge has accepted.
fn solver(of: Difference, params: &[&str], policy: Policy) -> Result<DistanceSolver, String> {
    let &[places, digits, _] = params else {
        return Err(format!(
            "expected places, digits and a deviation, found {params:?}"
        ));
    };
    let number = |word: &str| word.parse().unwrap_or(0);
    let game = Game::new("hitblow", number(places), number(digits))?;
    DistanceSolver::with(of, game, sigma_of(params), policy)
}

/// The standard deviation, which comes last; the judge has accepted it.
pub(super) fn sigma_of(params: &[&str]) -> f64 {
    let last = params.last().and_then(|sigma| sigma.parse().ok());
    last.unwrap_or(f64::NAN)
}

/// The solver's own choice.
struct SolverPlayer {
    solver: DistanceSolver,
    guess: i64,
}

impl SolverPlayer {
    fn new(solver: DistanceSolver) -> Self {
        Self { solver, guess: 0 }
    }

    fn declare(&mut self, guess: i64) -> String {
        self.guess = guess;
        write(&self.solver.to_digits(guess))
    }
}

fn write(digits: &[u8]) -> String {
    let words: Vec<String> = digits.iter().map(u8::to_string).collect();
    words.join(" ")
}

/// The difference in a reply to a wrong guess.
fn difference(reply: &str) -> Result<i64, String> {
    let difference = reply.strip_prefix("0 ").and_then(|word| word.parse().ok());
    difference.ok_or_else(|| format!("expected 0 and a difference, found {reply:?}"))
}

impl Player for SolverPlayer {
    fn line(&mut self) -> Result<String, String> {
        let guess = self.solver.guess()?;
        Ok(self.declare(guess))
    }

    fn learn(&mut self, reply: &str) -> Result<(), String> {
        self.solver.learn(self.guess, difference(reply)?);
        Ok(())
    }
}

/// A code drawn from what is believed.
struct PosteriorSampler {
    guesser: SolverPlayer,
    rng: CaseRng,
}

impl Player for PosteriorSampler {
    fn line(&mut self) -> Result<String, String> {
        let likeliest = self.guesser.solver.guess()?;
        let drawn = self.guesser.solver.listed().map(|(values, belief)| {
            let uniform = self.rng.below(1 << 53) as f64 / (1_u64 << 53) as f64;
            values[belief.sample(uniform) as usize]
        });
        Ok(self.guesser.declare(drawn.unwrap_or(likeliest)))
    }

    fn learn(&mut self, reply: &str) -> Result<(), String> {
        self.guesser.learn(reply)
    }
}

/// A code by a rule of the lab's own; the most probable one where that has none.
struct ByRule {
    guesser: SolverPlayer,
    rule: Rule,
}

enum Rule {
    TwoSteps(TwoSteps),
    DifferenceAlone(DifferenceAlone),
}

impl Player for ByRule {
    fn line(&mut self) -> Result<String, String> {
        let likeliest = self.guesser.solver.guess()?;
        let listed = self.guesser.solver.listed();
        let guess = listed.and_then(|(values, belief)| match &self.rule {
            Rule::TwoSteps(rule) => rule.choose(values, belief),
            Rule::DifferenceAlone(rule) => rule.choose(values, belief),
        });
        Ok(self.guesser.declare(guess.unwrap_or(likeliest)))
    }

    fn learn(&mut self, reply: &str) -> Result<(), String> {
        self.guesser.learn(reply)
    }
}

/// Codes in a random order, whatever is replied.
struct RandomOrder {
    order: Vec<String>,
}

/// Random orders are of no more codes than that.
const MOST_SHUFFLED: usize = 100_000;

impl RandomOrder {
    fn new(name: &str, params: &[&str], mut rng: CaseRng) -> Result<Self, String> {
        let problem = format!("{name} {}", params.join(" "));
        let spec = tester::problem::Spec::parse(&problem).map_err(|error| error.to_string())?;
        let all = spec.enumerate().map_err(|error| error.to_string())?;
        let mut order: Vec<String> = all
            .take(MOST_SHUFFLED + 1)
            .filter_map(|i| i.answer())
            .collect();
        if order.len() > MOST_SHUFFLED {
            return Err(format!(
                "expected at most {MOST_SHUFFLED} codes for a random order"
            ));
        }
        rng.shuffle(&mut order);
        Ok(Self { order })
    }
}

impl Player for RandomOrder {
    fn line(&mut self) -> Result<String, String> {
        self.order
            .pop()
            .ok_or_else(|| "every code has been guessed".to_owned())
    }

    fn learn(&mut self, _: &str) -> Result<(), String> {
        Ok(())
    }
}

/// What is believed of the secret, the same for every policy.
pub(super) struct Believer {
    solver: DistanceSolver,
    base: i64,
}

impl Believer {
    pub(super) fn new(of: Difference, params: &[&str]) -> Result<Self, String> {
        let base = params.get(1).and_then(|digits| digits.parse().ok());
        Ok(Self {
            solver: solver(of, params, Policy::Map)?,
            base: base.unwrap_or(1),
        })
    }

    /// The number that a line writes.
    pub(super) fn number(&self, line: &str) -> i64 {
        let digits = line.split(' ').filter_map(|word| word.parse::<i64>().ok());
        digits.fold(0, |value, digit| value * self.base + digit)
    }

    /// The probability of a code.
    ///
    /// # Errors
    /// If nothing is possible, or the codes are too many to list them.
    pub(super) fn probability(&mut self, code: i64) -> Result<f64, String> {
        self.solver.guess()?;
        let (values, belief) = self.solver.listed().ok_or("expected fewer codes")?;
        let found = values.binary_search(&code);
        Ok(found.map_or(0.0, |index| belief.probability(index as CodeId)))
    }

    /// A code drawn from what is believed if `guess` is wrong, with a random number of [0, 1).
    ///
    /// # Panics
    /// If [`Believer::probability`] was not called since the last reply.
    pub(super) fn draw_other(&self, guess: i64, uniform: f64) -> i64 {
        let (values, belief) = self.solver.listed().expect("listed before");
        let code = |(index, &own): (usize, &CodeId)| (values[own as usize], belief.weight(index));
        let all = belief.support().iter().enumerate().map(code);
        let others = all.filter(|code| code.0 != guess);
        let mut left = uniform * others.clone().map(|code| code.1).sum::<f64>();
        let mut last = guess;
        for (value, weight) in others {
            last = value;
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
        last
    }

    pub(super) fn learn(&mut self, guess: i64, difference: i64) {
        self.solver.learn(guess, difference);
    }
}

/// What was believed before a guess, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Codes that are not impossible, as numbers, with their probabilities; ascending.
    pub belief: Vec<(i64, f64)>,
    /// Uncertainty about the secret, in bits.
    pub entropy_bits: f64,
    /// The guess.
    pub guess: i64,
    /// What was replied: nothing but that it is right, or a difference.
    pub difference: Option<i64>,
}

impl Step {
    /// The probability of the most probable code.
    pub fn most(&self) -> f64 {
        self.belief.iter().map(|code| code.1).fold(0.0, f64::max)
    }

    /// What is believed of a code.
    pub fn probability(&self, code: i64) -> f64 {
        let found = self.belief.binary_search_by_key(&code, |&(code, _)| code);
        found.map_or(0.0, |index| self.belief[index].1)
    }
}

/// One game, step by step, as the solver plays it. `of` is the game that `params` belong to.
///
/// # Errors
/// If the judge or the solver refuses something, or the codes are too many to list them at once.
pub fn steps(
    of: Difference,
    instance: &dyn Instance,
    params: &[&str],
    policy: Policy,
) -> Result<Vec<Step>, String> {
    let mut solver = solver(of, params, policy)?;
    let mut session = instance.start();
    let mut steps = Vec::new();
    loop {
        let guess = solver.guess()?;
        let (values, belief) = solver
            .listed()
            .ok_or("expected fewer codes, found too many to list")?;
        let total = belief.total();
        let code =
            |(index, &code): (usize, &u32)| (values[code as usize], belief.weight(index) / total);
        let believed = belief.support().iter().enumerate().map(code).collect();
        let entropy_bits = belief.entropy_bits();
        let line = write(&solver.to_digits(guess));
        let reply = session
            .turn(line.as_bytes())
            .map_err(|refusal| refusal.to_string())?;
        let difference = if reply.done {
            None
        } else {
            Some(difference(reply.text())?)
        };
        steps.push(Step {
            belief: believed,
            entropy_bits,
            guess,
            difference,
        });
        match difference {
            Some(difference) => solver.learn(guess, difference),
            None => return Ok(steps),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_a_game_that_ends_at_the_secret() {
        let case =
            tester::problem::parse_case("distance 2 4 1\n3 1\n1 0 -1 0 0 0 0 0 0 0\n").unwrap();
        let signed = Difference::Signed;
        let steps = steps(signed, &*case, &["2", "4", "1"], Policy::Map).unwrap();
        assert_eq!(steps[0].belief.len(), 12);
        assert!((steps[0].entropy_bits - 12_f64.log2()).abs() < 1e-12);
        assert_eq!((steps[0].guess, steps[0].difference), (1, Some(13 - 1 + 1)));
        let last = steps.last().unwrap();
        assert_eq!((last.guess, last.difference), (13, None));
        for step in &steps {
            let sum: f64 = step.belief.iter().map(|code| code.1).sum();
            assert!((sum - 1.0).abs() < 1e-12);
        }
    }
}
