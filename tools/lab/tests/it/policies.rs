//! Totals and histograms of every policy, pool and tie rule on seven games, against figures that two
//! other programs have computed (`policies.csv`).

use lab::policy::{Node, Options, POLICIES, Policy, Pool, Tie, select};
use lab::solver::bayes::Posterior;
use lab::solver::pegs::{CodeId, Scorer};
use lab::{game, tree};

/// `mi hit-bonus=2bit pool=all tie=first` and the like.
fn parse(text: &str) -> (&str, Options) {
    let mut words = text.split(' ');
    let name = words.next().unwrap();
    let mut options = Options::default();
    for word in words {
        match word {
            "pool=candidates" => options.pool = Some(Pool::Candidates),
            "pool=all" => options.pool = Some(Pool::All),
            "tie=first" => options.tie = Some(Tie::First),
            "tie=candidate" => options.tie = Some(Tie::Candidate),
            "hit-bonus=2bit" => options.hit_bonus = Some(2.0),
            "hit-gain=log2(1/p+10)" => options.hit_gain = Some(10.0),
            _ => panic!("unknown option {word}"),
        }
    }
    (name, options)
}

#[test]
fn all_rows_of_the_table_are_met_to_the_digit() {
    let mut rows = 0;
    for line in include_str!("policies.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let (name, options) = parse(fields[1]);
        let factory = POLICIES
            .iter()
            .find(|factory| factory.name == name)
            .unwrap();
        let codes = game::codes(fields[0]).unwrap();
        let root = Posterior::uniform(codes.len());
        let outcome = tree::outcome(&codes, &root, &*(factory.build)(&options));
        let (turns, until) = (outcome.all_turns(), outcome.until_determined());
        let histogram: Vec<String> = outcome.turns.iter().map(u64::to_string).collect();
        let measured = [
            outcome.secrets().to_string(),
            turns.total.to_string(),
            format!("{:.4}", turns.mean),
            turns.worst.to_string(),
            format!("{:.4}", until.mean),
            until.worst.to_string(),
            histogram.join(" "),
        ];
        assert_eq!(measured, fields[2..], "{} {}", fields[0], fields[1]);
        rows += 1;
    }
    assert_eq!(rows, 105);
}

#[test]
fn parts_of_a_walk_find_each_secret_once() {
    let codes = game::codes("hitblow 3 9").unwrap();
    let root = Posterior::uniform(codes.len());
    for factory in POLICIES {
        if factory.outcome.is_some() {
            continue; // it has no tree
        }
        let options = Options {
            pool: Some(Pool::All),
            tie: Some(Tie::Candidate),
            ..Options::default()
        };
        let policy = (factory.build)(&options);
        let mut whole = Vec::new();
        let evaluated = tree::walk(&codes, &root, &*policy, &mut |secret, turns, until| {
            whole.push((secret, turns, until));
        });
        for of in [1, 2, 7, 600] {
            let (mut found, mut sum) = (Vec::new(), 0);
            for index in 1..=of {
                let block = tester::shard::Part::new(index, of)
                    .unwrap()
                    .block(codes.len());
                let before = found.len();
                sum += tree::walk_part(&codes, &root, &*policy, block.clone(), &mut |s, t, u| {
                    found.push((s, t, u));
                });
                assert_eq!(
                    found.len() - before,
                    block.len(),
                    "{} {index}/{of}",
                    factory.name
                );
            }
            assert_eq!(found, whole, "{} in {of} parts", factory.name);
            if of == 1 {
                assert_eq!(sum, evaluated);
            }
        }
    }
}

/// A policy, at each of whose nodes the guess is among the best by mutual information of a pool.
struct Checked {
    policy: Box<dyn Policy>,
    pool: Pool,
}

impl Policy for Checked {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        let guess = self.policy.choose(node);
        let support = node.posterior.support();
        let all: Vec<usize> = (0..support.len()).collect();
        let mut scorer = Scorer::new(node.codes, node.posterior, &all);
        let pool: Vec<CodeId> = match self.pool {
            Pool::Candidates => support.to_vec(),
            Pool::All => (0..node.codes.len() as CodeId).collect(),
        };
        assert!(pool.contains(&guess));
        let bits = pool
            .iter()
            .map(|&code| scorer.mutual_information_bits(code));
        let most = bits.fold(0.0, f64::max);
        assert!(scorer.mutual_information_bits(guess) > most - 1e-9);
        guess
    }
}

fn random_ties(name: &str, pool: Pool, seed: u64) -> Box<dyn Policy> {
    let options = Options {
        pool: Some(pool),
        tie: Some(Tie::Random),
        seed: Some(seed),
        ..Options::default()
    };
    (select(name, &options).unwrap().build)(&options)
}

#[test]
fn random_ties_are_any_of_the_best_guesses() {
    for (problem, pool) in [
        ("hitblow 3 6", Pool::All),
        ("mastermind 3 4", Pool::Candidates),
    ] {
        let codes = game::codes(problem).unwrap();
        let root = Posterior::uniform(codes.len());
        for seed in 0..5 {
            let policy = random_ties("mi", pool, seed);
            tree::outcome(&codes, &root, &Checked { policy, pool });
        }
    }
    // All first guesses of hitblow are alike, so each is drawn about as often: 6 codes, 600 seeds, 100 of each.
    let codes = game::codes("hitblow 2 3").unwrap();
    let mut drawn = [0; 6];
    for seed in 0..600 {
        let first = random_ties("mi", Pool::All, seed).choose(&mut Node {
            codes: &codes,
            posterior: &Posterior::uniform(6),
            named: &[false; lab::solver::limits::MAX_DIGITS],
            rows: &[],
            evaluated: &mut 0,
        });
        drawn[first as usize] += 1;
    }
    // Five standard deviations of 9.1.
    assert!(drawn.iter().all(|&n| (54..=146).contains(&n)), "{drawn:?}");
}

#[test]
fn the_most_probable_code_with_random_ties_is_a_random_candidate() {
    let codes = game::codes("mastermind 3 4").unwrap();
    let options = Options {
        seed: Some(3),
        ..Options::default()
    };
    let candidate = (select("random-candidate", &options).unwrap().build)(&options);
    let map = random_ties("map", Pool::All, 3);
    assert!(tree::parting(&codes, [&*candidate, &*map]).is_none());
}

#[test]
fn a_seed_without_a_random_choice_is_refused() {
    let refused = |name: &str, tie| {
        let options = Options {
            tie,
            seed: Some(1),
            ..Options::default()
        };
        select(name, &options).is_err()
    };
    for name in ["map", "mi", "minmax", "expected-size", "parts"] {
        assert!(
            refused(name, None) && refused(name, Some(Tie::First)),
            "{name}"
        );
        assert!(!refused(name, Some(Tie::Random)), "{name}");
    }
    assert!(!refused("random-candidate", None) && !refused("random-fixed", None));
    assert!(refused("random", Some(Tie::Random)));
}
