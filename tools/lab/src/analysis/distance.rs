//! Noisy differences: a reply makes codes more or less probable, and excludes hardly any.

use tester::problem::Spec;

use super::analyst::{Analyst, AnalystError};
use super::codes::{believed, codes_of, notation_of, prior_of, read, state_of_codes};
use super::question::{Answer, Question, ReplyForm, read_turns, reply_words};
use super::state::{BEST, GameState, GuessValue};
use crate::game::observations::Contradiction;
use crate::game::{self, Notation};
use crate::solver::bayes::Posterior;
use crate::solver::distance::{Difference, Gaps, Noise, Tables};
use crate::solver::pegs::{CodeId, Codes};

/// What looking at every guess of a turn may cost, about 1 ns each; an entropy counts as 20.
const WORK: u64 = 1_000_000_000;
/// A code of this probability leaves nothing to learn.
const CERTAIN: f64 = 1.0 - 1e-9;

/// The codes of one game, as numbers, and its noise.
pub(super) struct Distance {
    codes: Codes,
    /// The number that each code is in base K, ascending as they do.
    values: Vec<i64>,
    of: Difference,
    sigma: f64,
}

/// A guess, whether it was right, and the difference in the reply.
struct NoisyTurn {
    guess: CodeId,
    right: bool,
    difference: i64,
}

impl Distance {
    /// Of a game such as `distance 3 10 10` or `gap 3 10 10`.
    ///
    /// # Errors
    /// If it has too many codes.
    pub(super) fn new(of: Difference, problem: &str) -> Result<Self, AnalystError> {
        let spec = Spec::parse(problem)?;
        let (places, digits, sigma) = match &spec.params[..] {
            [places, digits, sigma] => (*places, *digits, sigma.parse().unwrap_or(f64::NAN)),
            _ => ("", "", f64::NAN), // the problem has refused them
        };
        // The same codes, other replies.
        let codes = codes_of(&format!("hitblow {places} {digits}"))?;
        let base = codes.game.digits as i64;
        let value = |code: CodeId| {
            let digits = codes.digits(code).iter();
            digits.fold(0, |value, &digit| value * base + i64::from(digit))
        };
        Ok(Self {
            values: (0..codes.len() as CodeId).map(value).collect(),
            codes,
            of,
            sigma,
        })
    }

    fn turn(&self, guess: CodeId, reply: &str) -> Result<NoisyTurn, String> {
        let (right, difference) = match reply_words(reply)[..] {
            [difference] | ["0", difference] => (false, difference),
            ["1", difference] => (true, difference),
            _ => (false, ""),
        };
        let difference = difference.parse().map_err(|_| {
            format!(
                "expected 0 and a difference such as \"0 -35\", or 1 and one if the guess was right, found {reply:?}"
            )
        })?;
        Ok(NoisyTurn {
            guess,
            right,
            difference,
        })
    }

    /// The logarithm of the probability of a reply.
    fn log_likelihood(&self, noise: &mut Noise, secret: CodeId, turn: &NoisyTurn) -> f64 {
        if (secret == turn.guess) != turn.right {
            return f64::NEG_INFINITY;
        }
        let (secret, guess) = (secret as usize, turn.guess as usize);
        let apart = self.of.between(self.values[secret], self.values[guess]);
        noise.log_mass(turn.difference.saturating_sub(apart))
    }

    /// Why nothing explains all turns. `left` are the codes of the prior.
    fn contradiction(
        &self,
        noise: &mut Noise,
        mut left: Posterior,
        turns: &[NoisyTurn],
    ) -> Contradiction {
        let mut all = Vec::with_capacity(left.support().len());
        for &code in left.support() {
            let numbered = turns.iter().enumerate();
            let broken = numbered
                .filter(|(_, turn)| self.log_likelihood(noise, code, turn) == f64::NEG_INFINITY);
            all.push(broken.map(|(i, _)| i).collect());
        }
        let impossible_at = turns.iter().position(|turn| {
            left.update_log(|code| self.log_likelihood(noise, code, turn));
            left.support().is_empty()
        });
        Contradiction::new(impossible_at.unwrap_or(0), all)
    }

    /// The best guesses with their values, the best first, and the `named` ones in their order.
    fn values_of(
        &self,
        noise: &mut Noise,
        belief: &Posterior,
        notation: &Notation<'_>,
        named: &[CodeId],
    ) -> (Vec<GuessValue>, Vec<GuessValue>) {
        let believed = believed(belief);
        let right = |code: CodeId| {
            let found = believed.binary_search_by_key(&code, |&(code, _)| code);
            found.ok().map(|index| (index, believed[index].1))
        };
        if self.of == Difference::Size {
            return self.values_without_sign(noise, belief, notation, named);
        }
        let mut work = WORK;
        let tables = Tables::new(&self.values, belief, noise, &mut work);
        let of_turn = match &tables {
            _ if believed
                .iter()
                .any(|&(_, probability)| probability > CERTAIN) =>
            {
                Some(0.0)
            }
            tables => tables.as_ref().map(Tables::bits_of_a_turn),
        };
        // What it helps to hear whether the guess is right comes on top of what the difference tells.
        let information = |code: CodeId| {
            let more = match (&tables, right(code)) {
                // What is that improbable is not in the tables, and adds nothing.
                (Some(tables), Some((index, _))) if belief.weight(index) > 1e-9 => {
                    tables.information_bits(index)
                }
                _ => 0.0,
            };
            of_turn.map(|bits| bits + more)
        };
        let value = |code: CodeId| GuessValue {
            guess: notation.write(code),
            information: information(code),
            right: Some(right(code).map_or(0.0, |(_, probability)| probability)),
            turns: None,
            parts: Vec::new(),
        };
        let mut likely = believed.clone();
        likely.sort_by(|a, b| b.1.total_cmp(&a.1));
        let each = 40 * (8.0 * self.sigma).ceil() as u64 + 40;
        likely.truncate(((work / each) as usize).max(BEST));
        // As the solver values them: a hit saves a turn, and so is worth what a turn tells.
        let mut scored: Vec<(f64, CodeId)> = likely
            .iter()
            .map(|&(code, right)| {
                let bits = information(code).unwrap_or(0.0);
                (bits + right * of_turn.unwrap_or(1.0), code)
            })
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        let best = scored.iter().take(BEST).map(|&(_, code)| value(code));
        (
            best.collect(),
            named.iter().map(|&code| value(code)).collect(),
        )
    }

    /// The same without a sign: then any code may be the best guess.
    fn values_without_sign(
        &self,
        noise: &mut Noise,
        belief: &Posterior,
        notation: &Notation<'_>,
        named: &[CodeId],
    ) -> (Vec<GuessValue>, Vec<GuessValue>) {
        let mut gaps = Gaps::new(&self.values, belief, noise, &mut WORK.clone());
        let mut bits = |code: CodeId| {
            let told = gaps.as_mut();
            told.map(|gaps| gaps.information_bits(self.values[code as usize]))
        };
        let width = self.values.last().unwrap_or(&0) + (16.0 * self.sigma) as i64;
        let each = belief.support().len() as i64 * (16.0 * self.sigma) as i64 + 20 * width + 1;
        let count = (WORK as i64 / each).max(BEST as i64) as usize;
        // The most probable ones, and others in equal steps.
        let mut pool: Vec<CodeId> = believed(belief).iter().map(|code| code.0).collect();
        pool.sort_by(|&a, &b| belief.probability(b).total_cmp(&belief.probability(a)));
        pool.truncate(count / 2 + 1);
        pool.extend((0..self.codes.len() as CodeId).step_by(self.codes.len() * 2 / count + 1));
        pool.sort_unstable();
        pool.dedup();
        let mut told = |code: CodeId| (code, bits(code).unwrap_or(0.0));
        let told: Vec<(CodeId, f64)> = pool.into_iter().map(&mut told).collect();
        let most = told.iter().map(|code| code.1).fold(0.0, f64::max);
        let worth = |code: CodeId, bits: f64| {
            bits + belief.probability(code) * self.of.turns_of_a_hit() * most
        };
        let mut scored: Vec<(f64, CodeId)> = told.iter().map(|&(c, b)| (worth(c, b), c)).collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut value = |code: CodeId| GuessValue {
            guess: notation.write(code),
            // With one code left, nothing is told; otherwise it would take too long.
            information: bits(code).or((belief.support().len() == 1).then_some(0.0)),
            right: Some(belief.probability(code)),
            turns: None,
            parts: Vec::new(),
        };
        let best = scored.iter().take(BEST).map(|&(_, code)| value(code));
        (
            best.collect(),
            named.iter().map(|&code| value(code)).collect(),
        )
    }
}

impl Analyst for Distance {
    fn analyse(&self, question: &Question<'_>) -> Result<Answer, String> {
        let notation = notation_of(&self.codes, question)?;
        let turns = read_turns(question, |turn| {
            self.turn(read(&notation, turn.guess)?, turn.reply)
        })?;
        let named = question.named.iter().map(|text| read(&notation, text));
        let named: Vec<CodeId> = named.collect::<Result<_, _>>()?;
        let prior = prior_of(&self.codes, &notation, question)?;
        let mut noise = Noise::new(self.sigma);
        let mut after = |mut belief: Posterior| {
            for turn in &turns {
                belief.update_log(|code| self.log_likelihood(&mut noise, code, turn));
            }
            belief
        };
        let belief = after(prior.clone());
        if belief.support().is_empty() {
            let outside = after(Posterior::uniform(self.codes.len())).support().len();
            return Ok(match outside {
                0 => Answer::Contradiction(self.contradiction(&mut noise, prior, &turns)),
                _ => Answer::OutsidePrior(outside),
            });
        }
        let (best, told) = self.values_of(&mut noise, &belief, &notation, &named);
        Ok(Answer::State(GameState {
            best,
            named: told,
            ..state_of_codes(&notation, &belief)
        }))
    }

    fn example(&self) -> String {
        game::show(&self.codes, 0)
    }

    fn replies(&self) -> ReplyForm {
        ReplyForm::RightDifference
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::analysis::testing::{ask, state};

    /// The probability of each rounded normal deviate by summing the density in small steps.
    fn mass(sigma: f64, error: i64) -> f64 {
        let steps = 20_000;
        let density = |x: f64| {
            (-0.5 * (x / sigma).powi(2)).exp() / (sigma * (2.0 * std::f64::consts::PI).sqrt())
        };
        let at = |i: i32| error as f64 - 0.5 + (f64::from(i) + 0.5) / f64::from(steps);
        (0..steps).map(|i| density(at(i))).sum::<f64>() / f64::from(steps)
    }

    /// Bayes' rule and mutual information from the joint distribution of secret and reply, everything spelled out.
    fn by_the_book(secrets: &[(i64, f64)], guess: i64, sigma: f64) -> f64 {
        let reach = (9.0 * sigma) as i64 + 1;
        let masses: BTreeMap<i64, f64> = (-reach..=reach).map(|e| (e, mass(sigma, e))).collect();
        let mut replies = BTreeMap::<(bool, i64), f64>::new();
        let mut within = 0.0;
        for &(secret, p) in secrets {
            for (&error, &q) in &masses {
                *replies
                    .entry((secret == guess, secret - guess + error))
                    .or_default() += p * q;
                within -= p * q * q.log2();
            }
        }
        replies.values().map(|p| -p * p.log2()).sum::<f64>() - within
    }

    #[test]
    fn belief_and_information_are_those_of_the_joint_distribution() {
        let rows = ["03:0 4", "12:0,-1"];
        let now = state("distance 2 4 1.5", &ask(&rows, &["13", "20", "31"]));
        // 12 codes of two distinct digits below 4, as numbers in base 4.
        let codes: Vec<(String, i64)> = (0..16)
            .filter(|v| v / 4 != v % 4)
            .map(|v| (format!("{}{}", v / 4, v % 4), v))
            .collect();
        let weight = |v: i64| match v {
            3 | 6 => 0.0, // it would have been right
            v => mass(1.5, 4 - (v - 3)) * mass(1.5, -1 - (v - 6)),
        };
        let total: f64 = codes.iter().map(|&(_, v)| weight(v)).sum();
        let believed: Vec<(i64, f64)> =
            codes.iter().map(|&(_, v)| (v, weight(v) / total)).collect();
        assert_eq!((now.candidates, now.uniform), (10, false));
        let entropy: f64 = believed
            .iter()
            .filter(|b| b.1 > 0.0)
            .map(|b| -b.1 * b.1.log2())
            .sum();
        assert!((now.entropy - entropy).abs() < 1e-6);
        for worth in &now.named {
            let (_, value) = codes.iter().find(|(name, _)| *name == worth.guess).unwrap();
            let right = believed.iter().find(|b| b.0 == *value).unwrap().1;
            let positive: Vec<(i64, f64)> =
                believed.iter().copied().filter(|b| b.1 > 0.0).collect();
            let bits = by_the_book(&positive, *value, 1.5);
            assert!((worth.right.unwrap() - right).abs() < 1e-6, "{worth:?}");
            assert!(
                (worth.information.unwrap() - bits).abs() < 1e-5,
                "{worth:?} {bits}"
            );
        }
        let likeliest = believed.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert!((now.listed[0].probability - likeliest.1).abs() < 1e-6);
        let sum: f64 = now.grid.unwrap().cells[0].iter().sum();
        assert!((sum - 1.0).abs() < 1e-9);
    }

    #[test]
    fn a_right_guess_ends_all_doubt_and_what_cannot_be_is_explained() {
        let now = state("distance 3 10 10", &ask(&["987:0 -40", "956:1 3"], &[]));
        assert_eq!((now.candidates, now.entropy), (1, 0.0));
        assert_eq!(now.best[0].information, Some(0.0));
        // Without noise a difference tells all, and two that disagree cannot both be right.
        let analyst = crate::analysis::analyst("distance 2 4 0").unwrap();
        let Answer::Contradiction(found) =
            analyst.analyse(&ask(&["01:0 2", "02:0 2"], &[])).unwrap()
        else {
            panic!("no contradiction");
        };
        assert_eq!((found.impossible_at, found.fewest_wrong), (1, 1));
        // 01 and 2 more is 03; 02 and 2 more is 10.
        assert_eq!(found.ways, [vec![0], vec![1]]);
        assert_eq!(found.possible, [1, 1]);
        for wrong in ["01:", "01:2 2", "01:0 x", "01:1 2 3"] {
            assert!(analyst.analyse(&ask(&[wrong], &[])).is_err(), "{wrong}");
        }
    }
}
