//! A score as other judges print it.

/// A whole number, also one that is written with decimals, which are zeros.
pub(super) fn whole_number(text: &[u8]) -> Option<u64> {
    let text = str::from_utf8(text).ok()?.trim();
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_whole = decimals.bytes().all(|digit| digit == b'0');
    whole.parse().ok().filter(|_| is_whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_that_are_zeros_change_nothing() {
        for text in ["12", "12.", "12.0", " 12.00\n", "0012"] {
            assert_eq!(whole_number(text.as_bytes()), Some(12), "{text:?}");
        }
        for text in ["", ".", "12.5", "-1", "1e3", "NaN", "18446744073709551616"] {
            assert_eq!(whole_number(text.as_bytes()), None, "{text:?}");
        }
    }
}
