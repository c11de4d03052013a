//! Totals and histograms of every policy, pool and tie rule on seven games, against figures that two
//! other programs have computed (`policies.csv`).

use lab::policy::{Options, POLICIES, Pool, Tie};
use lab::solver::bayes::Posterior;
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
