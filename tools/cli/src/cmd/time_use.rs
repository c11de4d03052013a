//! After a batch: what a busy machine has cost programs that use all of their time.

use std::num::NonZeroUsize;

use tester_core::stats::time_use::{LostTime, TimeUse};

/// Says on standard error if the programs of a run, of which `jobs` ran at once, could have had more time than they had.
pub(super) fn tell(used: &TimeUse, jobs: NonZeroUsize, cores: NonZeroUsize) {
    let percent = |share: f64| 100.0 * share;
    match used.lost(jobs.get(), cores.get()) {
        None => {}
        Some(LostTime::Crowded { jobs, cores, share }) => note!(
            "caution: the program uses all of its time, and {jobs} ran at once on {cores} cores (they had a processor \
             for {:.0} % of it): expect better scores with fewer\nhint: --jobs {cores}",
            percent(share)
        ),
        Some(LostTime::Busy { share }) => note!(
            "caution: the program uses all of its time, but had a processor for {:.0} % of it only: expect better \
             scores on a machine with nothing else to do\nhint: stop other programs, or try fewer --jobs; a program \
             that sleeps or waits for its tester looks the same",
            percent(share)
        ),
    }
}
