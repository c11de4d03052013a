//! A search from its beginning to its end: threads, progress, and a limit on the size of the game.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::options::{Objective, Optimum, Options, Progress, TooLarge, Without};
use super::plan::Plan;
use super::space::{MAX_CODES, MAX_PLACES, Space, TOKENS};
use crate::solver::pegs::Codes;

/// Finds a strategy that is optimal, by trying everything that is not proved to be worse.
///
/// Cost: from microseconds to years; the least mean of `hitblow 4 10` takes some seconds and 100 MB.
///
/// # Errors
/// If the game is too large.
pub fn find(
    codes: &Codes,
    objective: Objective,
    options: &Options<'_>,
) -> Result<Optimum, TooLarge> {
    let (places, tokens) = (codes.game.places, codes.game.places * codes.game.digits);
    if codes.len() > MAX_CODES || places > MAX_PLACES || tokens > TOKENS {
        let codes = codes.len();
        return Err(TooLarge {
            codes,
            places,
            tokens,
        });
    }
    let never = AtomicBool::new(false);
    let lower = AtomicU32::new(0);
    let space = Space::new(codes);
    // A normal form may give 0, or the first place, another name.
    let names = options.without.names || !space.whole;
    let options = &Options {
        without: Without {
            names,
            ..options.without
        },
        ..*options
    };
    let plan = Plan::new(
        codes,
        &space,
        options,
        options.stop.unwrap_or(&never),
        &lower,
    );
    let search = || match options.threads {
        0 | 1 => plan.follow(objective),
        threads => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            // Searches are as deep as games are long, and threads help each other in the middle of them.
            let pool = pool.stack_size(256 << 20).build();
            pool.expect("threads can be started")
                .install(|| plan.follow(objective))
        }
    };
    let Some(tell) = options.progress else {
        return Ok(search());
    };
    let (done, is_done) = channel::<()>();
    Ok(std::thread::scope(|scope| {
        let (plan, lower) = (&plan, &lower);
        scope.spawn(move || {
            let started = Instant::now();
            let mut pause = Duration::from_secs(1);
            while is_done.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                tell(&Progress {
                    lower: u64::from(lower.load(Ordering::Relaxed)),
                    upper: plan.so_far().total,
                    nodes: plan.nodes(),
                    elapsed: started.elapsed(),
                });
                // To know what was found so far costs something.
                pause = (pause * 5 / 4).min(Duration::from_secs(30));
            }
        });
        let found = search();
        drop(done);
        found
    }))
}
