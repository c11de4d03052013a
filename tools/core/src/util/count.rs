//! Numbers of things in sentences.

/// `1 case`, `2 cases`.
pub fn case_count(count: usize) -> String {
    counted(count as u64, "case")
}

/// `1 more pair`, `2 more pairs`: a thing whose plural ends with s.
pub fn counted(count: u64, thing: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {thing}{s}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_no_plural() {
        assert_eq!([case_count(1), case_count(2)], ["1 case", "2 cases"]);
        assert_eq!(
            [1, 2].map(|count| counted(count, "more pair")),
            ["1 more pair", "2 more pairs"]
        );
    }
}
