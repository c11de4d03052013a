//! How long a whole decision tree takes: `cargo bench -p lab`.
//!
//! Besides the time, criterion compares with the run before on the same machine.

use criterion::Criterion;
use lab::policy::{Options, Pool, Tie, select};
use lab::solver::bayes::Posterior;
use lab::{game, tree};

fn policies(criterion: &mut Criterion) {
    let given = Options {
        pool: Some(Pool::All),
        tie: Some(Tie::Candidate),
        ..Options::default()
    };
    for name in ["hitblow 3 10", "mastermind 4 6", "hitblow 4 10"] {
        let codes = game::codes(name).expect("a game");
        let root = Posterior::uniform(codes.len());
        let factory = select("mi", &given).expect("a policy");
        let policy = (factory.build)(&given);
        criterion.bench_function(&format!("mi over all codes, {name}"), |bencher| {
            bencher.iter(|| tree::outcome(&codes, &root, &*policy));
        });
    }
}

fn main() {
    let mut criterion = Criterion::default().sample_size(20).configure_from_args();
    policies(&mut criterion);
    criterion.final_summary();
}
