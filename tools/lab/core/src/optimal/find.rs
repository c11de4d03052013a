//! A search from its beginning to its end: threads, progress, and a limit on the size of the game.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use super::options::{Objective, Optimum, Options, Progress, TooLarge};
use super::plan::Plan;
use super::space::Space;
use crate::solver::pegs::Codes;

/// Finds a strategy that is optimal, by trying everything that is not proved to be worse.
///
/// Cost: from microseconds to years; the least mean of `hitblow 4 10` takes some seconds and 100 MB.
///
/// # Errors
/// If the game is too large.
///
/// # Panics
/// If a set costs less than its bound, because a result of [`Options::keep`] is false.
pub fn find(
    codes: &Codes,
    objective: Objective,
    options: &Options<'_>,
) -> Result<Optimum, TooLarge> {
    TooLarge::check(codes)?;
    let never = AtomicBool::new(false);
    let lower = AtomicU32::new(0);
    let space = Space::new(codes);
    let stop = options.stop.unwrap_or(&never);
    let mut plan = Plan::new(codes, &space, options, stop, &lower);
    if let Some(keep) = options.keep {
        keep.known.iter().for_each(|known| plan.learn(known));
    }
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
    let (done, is_done) = channel::<()>();
    Ok(std::thread::scope(|scope| {
        let plan = &plan;
        let watching = scope.spawn(move || watch(plan, options, stop, &is_done));
        let found = search();
        drop(done);
        // It may be saving what was known before the end: that must not come after the end.
        watching.join().expect("watching does not panic");
        if let Some(keep) = options.keep {
            (keep.save)(&plan.checkpoint(keep, &found));
        }
        found
    }))
}

/// Tells, saves, and stops at the limit, until the search is done.
fn watch(plan: &Plan<'_>, options: &Options<'_>, stop: &AtomicBool, is_done: &Receiver<()>) {
    let started = Instant::now();
    let mut pause = Duration::from_secs(1);
    let mut tell_at = options.progress.map(|_| started + pause);
    let mut save_at = options.keep.map(|keep| started + keep.every);
    let mut stop_at = options.limit.map(|limit| started + limit);
    while let Some(next) = [tell_at, save_at, stop_at].into_iter().flatten().min() {
        let wait = next.saturating_duration_since(Instant::now());
        if is_done.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
            return;
        }
        if stop_at == Some(next) {
            stop.store(true, Ordering::Relaxed);
            stop_at = None;
        }
        if let (Some(tell), true) = (options.progress, tell_at == Some(next)) {
            tell(&Progress {
                lower: u64::from(plan.lower.load(Ordering::Relaxed)),
                upper: plan.so_far().total,
                nodes: plan.nodes(),
                elapsed: started.elapsed(),
            });
            // To know what was found so far costs something.
            pause = (pause * 5 / 4).min(Duration::from_secs(30));
            tell_at = Some(Instant::now() + pause);
        }
        if let (Some(keep), true) = (options.keep, save_at == Some(next)) {
            (keep.save)(&plan.checkpoint(keep, &plan.so_far()));
            save_at = Some(Instant::now() + keep.every);
        }
    }
}
