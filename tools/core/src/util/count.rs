//! Numbers of things in sentences.

/// `1 case`, `2 cases`.
pub fn case_count(count: usize) -> String {
    match count {
        1 => "1 case".to_owned(),
        _ => format!("{count} cases"),
    }
}

/// `1 more pair`, `2 more pairs`.
pub fn more_pairs(count: usize) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} more pair{s}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_no_plural() {
        assert_eq!([case_count(1), case_count(2)], ["1 case", "2 cases"]);
        assert_eq!(
            [more_pairs(1), more_pairs(2)],
            ["1 more pair", "2 more pairs"]
        );
    }
}
