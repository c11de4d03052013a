//! Numbers of things in sentences.

/// `1 case`, `2 cases`.
pub fn case_count(count: usize) -> String {
    match count {
        1 => "1 case".to_owned(),
        _ => format!("{count} cases"),
    }
}
