//! What time it is for people.

use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds since 1970.
pub fn now_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as i64)
}

/// A moment, in milliseconds since 1970, in the user's own time: `2026-11-27 14:23:30`.
///
/// The zone is that of the variable `TZ`, else that of the system (`/etc/localtime`).
pub fn local_time(ms: i64) -> String {
    let seconds: libc::time_t = ms.div_euclid(1000);
    // SAFETY: numbers and a pointer, for which zeros are valid.
    let mut civil: libc::tm = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are valid during the call. It reads the environment, which this program never changes.
    let known = unsafe { libc::localtime_r(&raw const seconds, &raw mut civil) };
    // It fails only where the year does not fit: no number of milliseconds is so far away.
    debug_assert!(!known.is_null(), "{ms} ms");
    let (year, month) = (i64::from(civil.tm_year) + 1900, civil.tm_mon + 1);
    let [day, hour, minute, second] = [civil.tm_mday, civil.tm_hour, civil.tm_min, civil.tm_sec];
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_milliseconds_has_a_text() {
        // A day off in some zones.
        assert!(["1969-12-31 ", "1970-01-01 "].contains(&&local_time(-1)[..11]));
        assert!(
            ["2000-02-28 ", "2000-02-29 ", "2000-03-01 "]
                .contains(&&local_time(951_825_600_000)[..11])
        );
        // 2^63 ms are 292 million years.
        assert!(local_time(i64::MAX).starts_with("292278994-08-1"));
        assert!(local_time(i64::MIN).starts_with("-292275055-05-1"));
    }
}
