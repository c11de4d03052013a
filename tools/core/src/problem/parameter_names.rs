//! Names of parameters: what can be the name of a column.

use crate::util::quote::quote;

/// What [`check_names`] expects.
pub const NAMES_EXPECTED: &str = "at most 64 different words without spaces as names of parameters";

/// Names that cannot be those of parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {NAMES_EXPECTED}, found {found}")]
pub struct BadNames {
    /// What was found.
    pub found: String,
}

/// Checks that names can be those of columns.
///
/// # Errors
/// If there are too many, one occurs twice, or one is no word.
pub fn check_names(names: &[impl AsRef<str>]) -> Result<(), BadNames> {
    if names.len() > 64 {
        let found = names.len().to_string();
        return Err(BadNames { found });
    }
    let is_odd = |c: char| c.is_whitespace() || c.is_control();
    for (place, name) in names.iter().map(AsRef::as_ref).enumerate() {
        let is_known = names[..place].iter().any(|known| known.as_ref() == name);
        if is_known || name.is_empty() || name.contains(is_odd) {
            let again = if is_known { " again" } else { "" };
            let found = quote(name.as_bytes()) + again;
            return Err(BadNames { found });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_different_words() {
        let check = |names: &[&str]| check_names(names).map_err(|e| e.to_string());
        assert_eq!(check(&["N", "M", "eps", "ε"]), Ok(()));
        assert_eq!(check_names(&[""; 0]), Ok(()));
        insta::assert_snapshot!(check(&["N", "N"]).unwrap_err(), @r#"expected at most 64 different words without spaces as names of parameters, found "N" again"#);
        insta::assert_snapshot!(check(&["a b"]).unwrap_err(), @r#"expected at most 64 different words without spaces as names of parameters, found "a b""#);
        assert!(check(&[""]).is_err() && check(&["x"; 65]).unwrap_err().ends_with("found 65"));
    }
}
