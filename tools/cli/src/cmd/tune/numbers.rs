//! The numbers in braces in a command: `{width:1..200:int}`.

use std::fmt;

use anyhow::{Result, bail};
use regex::Regex;
use serde::Serialize;

use crate::hint::with_hint;

/// How a number is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Scale {
    Linear,
    Int,
    Log,
}

/// A number to be tuned.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Number {
    pub(super) name: String,
    low: f64,
    high: f64,
    scale: Scale,
}

impl Number {
    /// What stands within the braces.
    fn parse(text: &str) -> Result<Self> {
        let number = r"-?\d+(?:\.\d+)?(?:e-?\d+)?";
        let range = Regex::new(&format!(r"^(\w+):({number})\.\.({number})(?::(int|log))?$"));
        let range = range.expect("a constant");
        let Some(found) = range.captures(text) else {
            return Err(with_hint(
                format!("expected a name and a range in braces, found {{{text}}}"),
                "for example {bonus:0..8}, {width:1..200:int} or {t:0.1..1000:log}",
            ));
        };
        let (low, high): (f64, f64) = (found[2].parse()?, found[3].parse()?);
        let scale = match found.get(4).map(|kind| kind.as_str()) {
            Some("int") => Scale::Int,
            Some(_) => Scale::Log,
            None => Scale::Linear,
        };
        match scale {
            _ if low >= high => bail!("expected a range from low to high, found {{{text}}}"),
            // Python would get an end or a width that is no number.
            _ if !(high - low).is_finite() => {
                bail!("expected a range of at most 1.7e308, found {{{text}}}")
            }
            Scale::Log if low <= 0.0 => {
                bail!("expected a range above 0 with :log, found {{{text}}}")
            }
            Scale::Int if low.fract() != 0.0 || high.fract() != 0.0 => {
                bail!("expected whole numbers with :int, found {{{text}}}")
            }
            _ => {}
        }
        let name = found[1].to_owned();
        Ok(Self {
            name,
            low,
            high,
            scale,
        })
    }

    /// A value that was typed.
    fn value(&self, text: &str) -> Result<f64> {
        let name = &self.name;
        let Ok(value) = text.parse::<f64>() else {
            bail!("expected a number for {name}, found {text:?}");
        };
        if !(self.low..=self.high).contains(&value) {
            bail!("expected {self}, found {text}");
        }
        if self.scale == Scale::Int && value.fract() != 0.0 {
            bail!("expected a whole number for {name}, found {text}");
        }
        Ok(value)
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {} to {}", self.name, self.low, self.high)
    }
}

/// The numbers of a command, each once, in the order of its words.
pub(super) fn numbers_of(words: &[String]) -> Result<Vec<Number>> {
    let braces = Regex::new(r"\{([^{}]*)\}").expect("a constant");
    for (place, word) in (1..).zip(words) {
        check_braces(place, word, &braces.replace_all(word, ""))?;
    }
    let mut numbers: Vec<Number> = Vec::new();
    for found in words.iter().flat_map(|word| braces.captures_iter(word)) {
        let number = Number::parse(&found[1])?;
        match numbers.iter().find(|known| known.name == number.name) {
            None => numbers.push(number),
            Some(known) if *known == number => {}
            Some(_) => bail!("expected one range for {}, found two", number.name),
        }
    }
    if numbers.is_empty() {
        return Err(with_hint(
            format!("no number to tune in the command: {}", words.join(" ")),
            "it stands in braces, with its range: -- ./main --heat '{t:0.1..1000:log}'",
        ));
    }
    Ok(numbers)
}

/// Refuses a number with one brace, by what is left of a word without its pairs of braces.
fn check_braces(place: usize, word: &str, rest: &str) -> Result<()> {
    let unclosed = Regex::new(r"\{\w+:[^{}]*$").expect("a constant");
    let unopened = Regex::new(r"^[^{}]*?(\w+:-?\d[^{}]*)\}").expect("a constant");
    if let Some(found) = unclosed.find(rest) {
        let found = found.as_str();
        return Err(with_hint(
            format!(
                "expected a }} after {found}, found the end of word {place} of the command, {word}"
            ),
            format!("a number is one word or a part of one, in quotes: '{found}}}'"),
        ));
    }
    if let Some(found) = unopened.captures(rest) {
        let found = &found[1];
        return Err(with_hint(
            format!(
                "expected a {{ before {found}}}, found none in word {place} of the command, {word}"
            ),
            format!("a number is one word or a part of one, in quotes: '{{{found}}}'"),
        ));
    }
    Ok(())
}

/// The values of `--start`, by name.
pub(super) fn starts_of(
    typed: &[String],
    numbers: &[Number],
) -> Result<serde_json::Map<String, serde_json::Value>> {
    let mut starts = serde_json::Map::new();
    for text in typed {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let Some(number) = numbers.iter().find(|number| number.name == name) else {
            let names: Vec<&str> = numbers.iter().map(|number| &*number.name).collect();
            let names = names.join(", ");
            bail!("expected --start NAME=VALUE with one of {names}, found {text:?}");
        };
        starts.insert(name.to_owned(), number.value(value)?.into());
    }
    Ok(starts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(word: &str) -> String {
        numbers_of(&["./a".to_owned(), word.to_owned()])
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn numbers_have_a_range_that_fits_their_kind() {
        let words = [
            "./a",
            "--x={x:-1.5..2e3}",
            "{n:1..200:int},{t:0.1..9:log}",
            "{x:-1.5..2e3}",
        ];
        let numbers = numbers_of(&words.map(str::to_owned)).unwrap();
        let shown: Vec<String> = numbers
            .iter()
            .map(|n| format!("{n} {:?}", n.scale))
            .collect();
        assert_eq!(
            shown,
            [
                "x from -1.5 to 2000 Linear",
                "n from 1 to 200 Int",
                "t from 0.1 to 9 Log"
            ]
        );
        insta::assert_snapshot!(refused("3"), @"no number to tune in the command: ./a 3");
        insta::assert_snapshot!(refused("--x={x:1..5"), @"expected a } after {x:1..5, found the end of word 2 of the command, --x={x:1..5");
        insta::assert_snapshot!(refused("{x:"), @"expected a } after {x:, found the end of word 2 of the command, {x:");
        insta::assert_snapshot!(refused("{y:0..1}--x=x:1..5:int}"), @"expected a { before x:1..5:int}, found none in word 2 of the command, {y:0..1}--x=x:1..5:int}");
        insta::assert_snapshot!(refused("{x}"), @"expected a name and a range in braces, found {x}");
        insta::assert_snapshot!(refused("{x:2..1}"), @"expected a range from low to high, found {x:2..1}");
        insta::assert_snapshot!(refused("{x:0..1:log}"), @"expected a range above 0 with :log, found {x:0..1:log}");
        insta::assert_snapshot!(refused("{x:0.5..1:int}"), @"expected whole numbers with :int, found {x:0.5..1:int}");
        for range in ["{x:0..1e400}", "{x:-1e308..1e308}", "{x:1..1e400:int}"] {
            let expected = format!("expected a range of at most 1.7e308, found {range}");
            assert_eq!(refused(range), expected);
        }
        insta::assert_snapshot!(refused("{x:0..1}{x:0..2}"), @"expected one range for x, found two");
    }

    #[test]
    fn other_braces_are_words_of_the_program() {
        for word in [
            "{\"a\":{x:0..1}}",
            "{a:{x:0..1},b:1}",
            "a:1}{{x:0..1}",
            "}{{x:0..1}",
        ] {
            let found = numbers_of(&["./a".to_owned(), word.to_owned()]);
            let is_brace = word.starts_with('a');
            assert_eq!(found.is_err(), is_brace, "{word}");
        }
    }

    #[test]
    fn values_to_start_with_are_within_the_range() {
        let numbers = numbers_of(&["{x:0..1}".to_owned(), "{n:1..9:int}".to_owned()]).unwrap();
        let starts =
            |text: &str| starts_of(&[text.to_owned()], &numbers).map_err(|e| e.to_string());
        assert_eq!(starts("x=0.5").unwrap()["x"], 0.5);
        insta::assert_snapshot!(starts("x=2").unwrap_err(), @"expected x from 0 to 1, found 2");
        insta::assert_snapshot!(starts("n=1.5").unwrap_err(), @"expected a whole number for n, found 1.5");
        insta::assert_snapshot!(starts("x=a").unwrap_err(), @r#"expected a number for x, found "a""#);
        insta::assert_snapshot!(starts("y=1").unwrap_err(), @r#"expected --start NAME=VALUE with one of x, n, found "y=1""#);
    }
}
