//! The `bayes` module alone: it plays whole games, and the faster scorers of each game are equal to it.

use crate::solver::bayes::{
    Hypothesis, Posterior, Worth, best_question, entropy_bits, noisy_information_bits,
};
use crate::solver::pegs::Game;
use proptest::prelude::*;

/// A game of hits and blows for `bayes` alone: hypotheses and questions are codes by number, and the
/// reply to each question under each hypothesis is written down.
pub(crate) struct Table {
    pub(crate) game: Game,
    codes: Vec<Vec<u8>>,
    replies: Vec<(u8, u8)>,
}

impl Table {
    pub(crate) fn new(name: &str, places: usize, digits: usize) -> Self {
        let game = Game::new(name, places, digits).unwrap();
        let mut codes = vec![vec![]];
        for _ in 0..places {
            let longer = |code: &Vec<u8>| {
                let free =
                    (0..digits as u8).filter(|digit| !game.distinct || !code.contains(digit));
                let longer = free.map(|digit| [&code[..], &[digit]].concat());
                longer.collect::<Vec<_>>()
            };
            codes = codes.iter().flat_map(longer).collect();
        }
        let pairs = codes
            .iter()
            .flat_map(|guess| codes.iter().map(move |secret| (guess, secret)));
        let replies = pairs.map(|(guess, secret)| reply(guess, secret)).collect();
        Self {
            game,
            codes,
            replies,
        }
    }

    pub(crate) fn reply(&self, guess: Hypothesis, secret: Hypothesis) -> (u8, u8) {
        self.replies[guess as usize * self.codes.len() + secret as usize]
    }

    /// The best guess of all codes. Of equal ones the most probable, then the smallest.
    pub(crate) fn guess(&self, posterior: &Posterior, bonus_bits: f64) -> Hypothesis {
        let mut order: Vec<Hypothesis> = (0..self.codes.len() as Hypothesis).collect();
        order.sort_by(|&a, &b| {
            posterior
                .probability(b)
                .total_cmp(&posterior.probability(a))
        });
        let worth = |&guess: &Hypothesis| Worth {
            information_bits: posterior.information_bits(|secret| self.reply(guess, secret)),
            right: posterior.probability(guess),
            cost: 1.0,
        };
        best_question(order, worth, bonus_bits).unwrap().0
    }

    /// The turns of all candidates together, after `turn` turns.
    fn total(&self, posterior: &Posterior, turn: usize, visit: &mut Visit<'_>) -> usize {
        assert!(turn < 20, "guesses tell nothing");
        let guess = visit(self, posterior, turn);
        let mut total = 0;
        for (reply, _) in posterior.distribution(|secret| self.reply(guess, secret)) {
            if usize::from(reply.0) == self.game.places {
                total += turn + 1;
                continue;
            }
            let mut after = posterior.clone();
            after.update(|secret| f64::from(self.reply(guess, secret) == reply));
            total += self.total(&after, turn + 1, visit);
        }
        total
    }

    /// The turns of all secrets together.
    fn play_all(&self, bonus_bits: f64) -> usize {
        let prior = Posterior::uniform(self.codes.len());
        self.total(&prior, 0, &mut |table, posterior, _| {
            table.guess(posterior, bonus_bits)
        })
    }
}

/// Chooses the guess after some turns.
type Visit<'a> = dyn FnMut(&Table, &Posterior, usize) -> Hypothesis + 'a;

/// The rule: hits, and other digits in common, each digit of the secret counting once.
fn reply(guess: &[u8], secret: &[u8]) -> (u8, u8) {
    let hits = guess.iter().zip(secret).filter(|(a, b)| a == b).count();
    let mut left = secret.to_vec();
    for digit in guess {
        if let Some(at) = left.iter().position(|other| other == digit) {
            left.swap_remove(at);
        }
    }
    (hits as u8, (secret.len() - left.len() - hits) as u8)
}

const BONUSES: [f64; 7] = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0];

#[test]
fn core_alone_takes_the_turns_of_the_table() {
    // docs/solver.md
    for (name, places, digits, totals) in [
        ("hitblow", 3, 10, [3616, 3613, 3618, 3612, 3614, 3631, 3673]),
        ("hitblow", 3, 9, [2364, 2361, 2361, 2366, 2366, 2376, 2401]),
        ("mastermind", 4, 4, [912, 912, 912, 908, 908, 908, 908]),
    ] {
        let table = Table::new(name, places, digits);
        assert_eq!(
            BONUSES.map(|bonus| table.play_all(bonus)),
            totals,
            "{name} {places} {digits}"
        );
    }
}

#[test]
#[ignore = "a quarter of a minute; smaller games are played above"]
fn core_alone_takes_the_turns_of_the_table_in_larger_games() {
    for (name, places, digits, totals) in [
        (
            "mastermind",
            4,
            6,
            [5722, 5721, 5717, 5719, 5719, 5720, 5734],
        ),
        (
            "mastermind",
            5,
            4,
            [3977, 3977, 3976, 3976, 3981, 3984, 3992],
        ),
    ] {
        let table = Table::new(name, places, digits);
        assert_eq!(
            BONUSES.map(|bonus| table.play_all(bonus)),
            totals,
            "{name} {places} {digits}"
        );
    }
    assert_eq!(Table::new("hitblow", 4, 10).play_all(1.5), 26415);
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

/// Probabilities proportional to these weights, by their definition.
fn normalised(weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

#[test]
fn classes_of_a_noisy_reply_by_hand() {
    // One bit through a channel that flips it with probability 1/4: I = 1 - h(1/4).
    let rows = [[0.75, 0.25], [0.25, 0.75]];
    let bits = noisy_information_bits(rows.iter().map(|row| (0.5, &row[..], entropy_bits(*row))));
    assert!(close(bits, 1.0 - (2.0 - 0.75 * 3_f64.log2())), "{bits}");
    // A row that is shorter has probability 0 for the replies that it leaves out.
    let bits = noisy_information_bits([(0.5, &[1.0][..], 0.0), (0.5, &[0.0, 1.0], 0.0)]);
    assert!(close(bits, 1.0), "{bits}");
}

/// What a question of these bits and this cost is worth.
fn worth(&(information_bits, cost): &(f64, f64)) -> Worth {
    Worth {
        information_bits,
        right: 0.0,
        cost,
    }
}

#[test]
fn a_question_that_tells_nothing_at_no_cost_is_not_preferred() {
    let questions = [(0.0, 0.0), (0.5, 1.0), (0.0, 0.0)];
    let (best, value) = best_question(questions, worth, 0.0).unwrap();
    assert_eq!((best, value), ((0.5, 1.0), 0.5));
}

#[test]
fn what_is_no_weight_or_likelihood_is_refused() {
    for bad in [f64::NAN, -1.0, f64::INFINITY] {
        let refused = |call: fn(f64)| std::panic::catch_unwind(|| call(bad)).is_err();
        assert!(refused(|bad| drop(Posterior::from_prior(&[1.0, bad]))));
        assert!(refused(
            |bad| Posterior::uniform(2).update(|own| [1.0, bad][own as usize])
        ));
        // Also if all are the same, or one hypothesis is left.
        for count in [1, 3] {
            let refused = |call: &dyn Fn()| {
                let call = std::panic::AssertUnwindSafe(call);
                std::panic::catch_unwind(call).is_err()
            };
            assert!(refused(&|| drop(Posterior::from_prior(&vec![bad; count]))));
            assert!(refused(&|| Posterior::uniform(count).update(|_| bad)));
            assert!(refused(&|| {
                let mut posterior = Posterior::uniform(3);
                posterior.update(|own| if (own as usize) < count { bad } else { 0.0 });
            }));
            assert!(refused(&|| {
                let all = (0..count as u32).collect();
                drop(Posterior::among(all, Some(vec![bad; count])));
            }));
        }
    }
    assert!(std::panic::catch_unwind(|| Posterior::among(vec![1, 2], Some(vec![0.0; 2]))).is_err());
}

#[test]
fn what_has_underflowed_is_not_drawn() {
    let mut posterior = Posterior::from_log_prior(vec![-3000.0, 0.0, -3000.0]);
    for uniform in [0.0, 0.5, 1.0 - f64::EPSILON / 2.0] {
        assert_eq!(posterior.sample(uniform), 1, "{uniform}");
    }
    posterior.update_log(|own| if own == 1 { -3000.0 } else { 0.0 });
    assert_eq!(
        [0.0, 0.3, 0.4, 0.6, 0.7, 0.9].map(|uniform| posterior.sample(uniform)),
        [0, 0, 1, 1, 2, 2]
    );
}

proptest! {
    #[test]
    fn the_unit_of_cost_does_not_matter(
        questions in prop::collection::vec((0_u32..50, 1_u32..50), 1..12), exponent in -12..12,
    ) {
        let questions: Vec<(f64, f64)> =
            questions.into_iter().map(|(bits, cost)| (f64::from(bits) / 7.0, cost.into())).collect();
        let unit = 10_f64.powi(exponent);
        let scaled = |&(bits, cost): &(f64, f64)| worth(&(bits, cost * unit));
        let best = best_question(0..questions.len(), |&index| scaled(&questions[index]), 0.0);
        // By exact ratios: the first of the greatest.
        let ratio = |index: &usize| questions[*index].0 / questions[*index].1;
        let greatest = (0..questions.len()).map(|index| ratio(&index)).fold(0.0, f64::max);
        let first = (0..questions.len()).find(|index| ratio(index) >= greatest * (1.0 - 1e-12));
        prop_assert_eq!(best.unwrap().0, first.unwrap());
    }

    #[test]
    fn order_of_replies_does_not_matter_and_impossible_stays_impossible(
        weights in prop::collection::vec(0_u32..5, 8),
        replies in prop::collection::vec(prop::collection::vec(0_u32..5, 8), 0..6),
    ) {
        let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
        let likelihood = |reply: &[u32], own: Hypothesis| f64::from(reply[own as usize]) / 4.0;
        let mut posterior = Posterior::from_prior(&weights);
        replies.iter().for_each(|reply| posterior.update(|own| likelihood(reply, own)));
        let mut reversed = Posterior::from_prior(&weights);
        replies.iter().rev().for_each(|reply| reversed.update(|own| likelihood(reply, own)));
        let joint: Vec<f64> = (0..8)
            .map(|own| weights[own] * replies.iter().map(|r| likelihood(r, own as u32)).product::<f64>())
            .collect();
        let possible: Vec<Hypothesis> = (0..8).filter(|&own| joint[own as usize] > 0.0).collect();
        prop_assert_eq!(posterior.support(), &possible[..]);
        prop_assert_eq!(reversed.support(), &possible[..]);
        prop_assert_eq!(posterior.check_possible().is_ok(), !possible.is_empty());
        prop_assume!(!possible.is_empty());
        for (own, p) in (0..).zip(normalised(&joint)) {
            prop_assert!(close(posterior.probability(own), p), "{own}");
            prop_assert!(close(reversed.probability(own), p), "{own}");
        }
        prop_assert!(close(posterior.entropy_bits(), entropy_bits(normalised(&joint))));
    }

    #[test]
    fn weights_that_underflow_come_back(
        logs in prop::collection::vec(prop::option::weighted(0.8, -3000.0..3000.0), 1..10),
        replies in prop::collection::vec(prop::collection::vec(-3000.0..0.0, 10), 0..8),
    ) {
        let logs: Vec<f64> = logs.into_iter().map(|log| log.unwrap_or(f64::NEG_INFINITY)).collect();
        let mut posterior = Posterior::from_log_prior(logs.clone());
        for reply in &replies {
            posterior.update_log(|own| reply[own as usize]);
        }
        let of = |own: usize| logs[own] + replies.iter().map(|reply| reply[own]).sum::<f64>();
        let joint: Vec<f64> = (0..logs.len()).map(of).collect();
        let largest = joint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let possible = joint.iter().filter(|log| log.is_finite()).count();
        prop_assert_eq!(posterior.support().len(), possible); // however small
        prop_assume!(possible > 0);
        let scaled: Vec<f64> = joint.iter().map(|log| (log - largest).exp()).collect();
        for (own, p) in (0..).zip(normalised(&scaled)) {
            prop_assert!(close(posterior.probability(own), p), "{own}: {p}");
        }
    }

    #[test]
    fn information_is_that_of_the_joint_table(
        weights in prop::collection::vec(1_u32..6, 6),
        class_of in prop::collection::vec(0_usize..4, 6),
        rows in prop::collection::vec(prop::collection::vec(0_u32..4, 1..6), 4),
    ) {
        prop_assume!(rows.iter().all(|row| row.iter().any(|&p| p > 0)));
        let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
        let row = |row: &Vec<u32>| {
            let row = normalised(&row.iter().copied().map(f64::from).collect::<Vec<_>>());
            let bits = entropy_bits(row.iter().copied());
            (row, bits)
        };
        let rows: Vec<(Vec<f64>, f64)> = rows.iter().map(row).collect();
        let posterior = Posterior::from_prior(&weights);
        // Σ p(s, r) · log2(p(s, r) / (p(s) · p(r)))
        let prior = normalised(&weights);
        let joint = |own: usize, reply: usize| {
            prior[own] * rows[class_of[own]].0.get(reply).copied().unwrap_or(0.0)
        };
        let mut slow = 0.0;
        for reply in 0..6 {
            let of_reply: f64 = (0..6).map(|own| joint(own, reply)).sum();
            for own in (0..6).filter(|&own| joint(own, reply) > 0.0) {
                slow += joint(own, reply) * (joint(own, reply) / (prior[own] * of_reply)).log2();
            }
        }
        let with = |p: f64, class: usize| (p, &rows[class].0[..], rows[class].1);
        let each = (0..6).map(|own| with(prior[own], class_of[own]));
        prop_assert!(close(noisy_information_bits(each), slow));
        let classes = posterior.distribution(|own| class_of[own as usize]);
        let noisy = noisy_information_bits(classes.iter().map(|(&class, &p)| with(p, class)));
        prop_assert!(close(noisy, slow), "{noisy} {slow}");
        // Without noise, the reply is the class.
        let certain = posterior.information_bits(|own| class_of[own as usize]);
        prop_assert!(-1e-12 < noisy && noisy < certain + 1e-9 && certain < posterior.entropy_bits() + 1e-9);
        prop_assert!(close(posterior.information_bits(|own| own), posterior.entropy_bits()));
    }

    #[test]
    fn most_probable_answer_is_that_of_the_slow_twin(
        weights in prop::collection::vec(0_u32..4, 9), answers in prop::collection::vec(0_u32..4, 9),
    ) {
        prop_assume!(weights.iter().any(|&weight| weight > 0));
        let of = |answer: u32| {
            let own = (0..9).filter(|&own| answers[own] == answer);
            own.map(|own| weights[own]).sum::<u32>()
        };
        let expected = (0..4).rev().max_by_key(|&answer| of(answer)).unwrap(); // the last of equal ones
        let scaled: Vec<f64> = weights.iter().map(|&weight| f64::from(weight) / 7.0).collect();
        let posterior = Posterior::from_prior(&scaled);
        let (answer, p) = posterior.most_probable_answer(|own| answers[own as usize]);
        prop_assert_eq!(answer, expected);
        prop_assert!(close(p, f64::from(of(answer)) / f64::from(weights.iter().sum::<u32>())));
    }

    #[test]
    fn samples_are_as_frequent_as_they_are_probable(weights in prop::collection::vec(0_u32..20, 1..12)) {
        let total: u32 = weights.iter().sum();
        prop_assume!(total > 0);
        let scaled: Vec<f64> = weights.iter().map(|&weight| f64::from(weight) * 1e-70).collect();
        let posterior = Posterior::from_prior(&scaled);
        // [0, 1) in as many parts as the weights have units, and each in four.
        let mut drawn = vec![0; weights.len()];
        for part in 0..4 * total {
            drawn[posterior.sample((f64::from(part) + 0.5) / f64::from(4 * total)) as usize] += 1;
        }
        prop_assert_eq!(drawn, weights.iter().map(|&weight| 4 * weight).collect::<Vec<_>>());
        for uniform in [0.0, 1.0 - f64::EPSILON / 2.0] {
            prop_assert!(posterior.probability(posterior.sample(uniform)) > 0.0);
        }
    }

    #[test]
    fn best_question_is_the_first_of_the_best(
        questions in prop::collection::vec((0_u32..4, 0_u32..3, 1_u32..4), 0..12), bonus in 0_u32..3,
    ) {
        let value = |&(bits, right, cost): &(u32, u32, u32)| {
            60 * (2 * bits + bonus * right) / cost // exact: costs are divisors of 60
        };
        let most = questions.iter().map(value).max();
        let expected = questions.iter().position(|question| Some(value(question)) == most);
        let worth = |&(_, (bits, right, cost)): &(usize, (u32, u32, u32))| Worth {
            information_bits: f64::from(bits),
            right: f64::from(right) / 2.0,
            cost: f64::from(cost),
        };
        let listed = questions.iter().copied().enumerate();
        let found = best_question(listed, worth, f64::from(bonus));
        prop_assert_eq!(found.map(|((number, _), _)| number), expected);
        if let (Some((_, found)), Some(most)) = (found, most) {
            prop_assert!(close(found, f64::from(most) / 120.0));
        }
    }
}
