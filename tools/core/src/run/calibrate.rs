//! The speed of a machine as one number: the time that a fixed piece of work takes.
//!
//! Hosts of a cluster differ in speed, so the same time limit is stricter on a slow host. The number shows how far the
//! hosts differ; it is no general benchmark.
//!
//! **The work.** 500,000 steps. Each step multiplies, rotates, and reads a word of a table of 1 MiB at an index that
//! depends on the step before. Contestants do integer arithmetic on tables that fit into the second-level cache.
//! Arithmetic alone would hide small caches. A walk through main memory would measure the memory, and the load of
//! the programs that share it. The compiler can neither leave out a step nor run steps in parallel. The work never
//! changes, so you can compare the numbers of all versions.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Words of the table: 1 MiB.
const WORDS: usize = 1 << 17;
const STEPS: usize = 500_000;
/// Repetitions. The shortest time counts, because other programs can only add time. Each is short, so that some are
/// not interrupted even on a busy machine.
const REPETITIONS: usize = 9;

/// Two hosts whose medians over many shards differ by less than this factor count as equally fast.
///
/// Measured on a shared virtual machine with two cores, in four series of 60 to 200 calibrations. The medians differed
/// by at most a factor of 1.07, even with four busy loops beside one series. Single calibrations vary more: the middle
/// 90 % differed by factors of 1.2 to 1.6, and of 4.5 beside the busy loops. The best of 3 repetitions, each three times
/// as long, was worse: 1.6, and 13 beside the busy loops, because long repetitions are nearly always interrupted.
pub(crate) const NOISE: f64 = 1.1;

/// The time that the work takes now, on this thread, in milliseconds.
///
/// Cost: nine repetitions, about 3 ms each in optimised code.
pub fn calibration_ms() -> f64 {
    let table = table();
    let time = |_| {
        let begun = Instant::now();
        black_box(work(black_box(&table)));
        begun.elapsed()
    };
    let best = (0..REPETITIONS).map(time).min();
    ms(best.expect("more than one repetition"))
}

/// Rounded to microseconds, so that writing it as a decimal and reading it again does not change it.
fn ms(time: Duration) -> f64 {
    time.as_micros().max(1) as f64 / 1e3
}

fn table() -> Vec<u64> {
    let mut word = 1_u64;
    let next = || {
        word = word.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        word
    };
    std::iter::repeat_with(next).take(WORDS).collect()
}

fn work(table: &[u64]) -> u64 {
    let mut x = 1_u64;
    for _ in 0..STEPS {
        // The upper 17 bits are an index into the table.
        let word = table[(x >> 47) as usize];
        x = (x ^ word)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29);
    }
    x
}

/// Scales a time limit that was chosen for a host with the calibration `meant_ms` to a host with `here_ms`.
///
/// # Panics
/// If a calibration is not positive.
pub fn scaled(limit: Duration, here_ms: f64, meant_ms: f64) -> Duration {
    assert!(here_ms > 0.0 && meant_ms > 0.0, "work takes time");
    let us = (limit.as_micros() as f64 * here_ms / meant_ms).round();
    Duration::from_micros((us as u64).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_the_same_for_ever() {
        // Both values come from a transcription into Python, whose integers do not overflow.
        assert_eq!(table()[0], 0x5851_f42d_4c95_7f2e);
        assert_eq!(work(&table()), 0x6923_0daf_2478_7f92);
    }

    #[test]
    fn a_limit_is_scaled_by_how_much_slower_a_host_is() {
        let two = Duration::from_secs(2);
        assert_eq!(scaled(two, 15.0, 10.0), Duration::from_secs(3));
        assert_eq!(scaled(two, 5.0, 10.0), Duration::from_secs(1));
        assert_eq!(scaled(two, 0.001, 1e9), Duration::from_micros(1));
    }

    #[test]
    fn a_calibration_is_a_time_in_whole_microseconds() {
        let found = calibration_ms();
        assert!(found > 0.0 && found < 10_000.0, "{found}");
        assert_eq!(ms(Duration::from_nanos(12_345_678)), 12.345);
    }
}
