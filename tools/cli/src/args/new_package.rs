//! `tester new`.

use std::path::PathBuf;

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  {tester} new treasure
  {tester} new treasure --dir ahc/treasure
  {tester} new treasure --tester https://example.org/saguri.git

Writes a problem that runs, contestants in Rust, Python and C++, tests and a README. In the new folder, \
`cargo run --release -- batch` judges, and every other command of {tester} works too.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct New {
    /// The name of the package and of its problem
    #[arg(value_name = "NAME", value_parser = package_name)]
    pub(crate) name: String,
    /// The folder to write to; no file is replaced [default: NAME]
    #[arg(long, value_name = "DIR")]
    pub(crate) dir: Option<PathBuf>,
    /// Where Cargo finds the judge: a checkout, or the URL of a git repository [default: the checkout that this program
    /// was built from]
    #[arg(long, value_name = "PATH-OR-URL")]
    pub(crate) tester: Option<String>,
}

/// Words that Cargo refuses as the name of a program, or that stand for something else in the package.
const RESERVED: &str = include_str!("reserved_words.txt");

/// The longest name of a package that the public registry takes.
const MAX_LENGTH: usize = 64;

/// A name that Cargo and Rust accept without a warning.
fn package_name(name: &str) -> Result<String, String> {
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    if !begins || !name.chars().all(is_word) || name.len() > MAX_LENGTH {
        return Err(format!(
            "expected at most {MAX_LENGTH} lower-case letters, digits, - and _, a letter first"
        ));
    }
    match RESERVED.lines().any(|word| word == name) {
        true => Err("Rust, Cargo or the judge uses this name".to_owned()),
        false => Ok(name.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_packages() {
        for good in ["treasure", "ahc030", "my-contest", "a_b", "x"] {
            assert_eq!(package_name(good), Ok(good.to_owned()));
        }
        let long = "x".repeat(65);
        for bad in [
            "", "9x", "-x", "_x", "Treasure", "a b", "a/b", "..", "宝", "a.b", "test", "match",
            "tester", "deps", &long,
        ] {
            assert!(package_name(bad).is_err(), "{bad}");
        }
    }
}
