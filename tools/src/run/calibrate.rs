//! How fast a machine is, as one number: how long a fixed piece of work takes.
//!
//! Hosts of a cluster differ, and a limit of time means another thing on each. The number tells how far they are apart; it
//! is no benchmark of anything else.
//!
//! **The work.** 500,000 steps, each of which multiplies, rotates, and reads a word of a table of 1 MiB at a place that
//! only the step before knows. Contestants of these contests do integer arithmetic on tables that fit the second level of
//! the cache, so neither arithmetic alone (which forgives small caches) nor a walk through main memory (which measures
//! the memory, and the neighbours that share it) would stand for them. Nothing of it can be left out or done in
//! several lanes at once, whatever the compiler finds. It never changes: figures of all versions compare.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Words of the table: 1 MiB.
const WORDS: usize = 1 << 17;
const STEPS: usize = 500_000;
/// The best of so many is what counts: whatever else the machine does only adds. They are short, so that some of them come
/// through without being interrupted on a busy machine.
const REPETITIONS: usize = 9;

/// Two hosts whose figures differ by less than this factor are alike. It is for medians over many shards. Measured on a
/// virtual machine of two cores that others were using too, four series of 60 to 200 calibrations: the medians lay within
/// 1.07 of each other, four busy loops beside one of the series included. A single one is worth less: its middle nine
/// tenths lay within 1.2 to 1.6 of each other, and beside the busy loops within 4.5. (The best of 3 pieces of three times
/// the length: 1.6, and beside the loops 13, for on a busy machine they are seldom left in peace.)
pub const NOISE: f64 = 1.1;

/// How long the work takes here and now, on this thread, in milliseconds.
///
/// Cost: nine times that, some 3 ms each where the code is optimised.
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

/// To microseconds, so that it is the same after it was written as a decimal and read again.
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
        // The upper 17 bits are a place in the table.
        let word = table[(x >> 47) as usize];
        x = (x ^ word)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29);
    }
    x
}

/// A limit of time that was meant for a host with the calibration `meant_ms`, for one with `here_ms`.
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
        // Both from a transcription into Python, whose integers have no width.
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
