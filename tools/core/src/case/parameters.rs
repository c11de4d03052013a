//! Parameters of cases: the numbers that say what a case is like, such as the size of a grid.
//!
//! Their names stand once in the description of a run. A case has only values, in the order of those names. Where the
//! values come from does not matter here: of a built-in problem, the instance has them.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::lazy_case::{Case, Content};
use crate::problem::{Spec, problem_of};
use crate::util::quote::quote;

/// What stands for a value that a case does not have.
const MISSING: &str = "-";

/// The values of a case, in the order of the names of its run. A case without values takes no memory of its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parameters(Box<[Option<f64>]>);

impl Parameters {
    /// These values, one for each name; `None` where the case has no such parameter. A value that is not finite counts
    /// as missing, and a case that has no value at all is as one without parameters.
    pub fn new(values: impl IntoIterator<Item = Option<f64>>) -> Self {
        // Adding 0 makes 0 of -0.
        let value = |value: Option<f64>| value.filter(|v| v.is_finite()).map(|v| v + 0.0);
        let values: Box<[_]> = values.into_iter().map(value).collect();
        match values.iter().any(Option::is_some) {
            true => Self(values),
            false => Self::default(),
        }
    }

    /// Those of a case, in the order of `names`.
    ///
    /// Cost: nothing where there are no names.
    pub(crate) fn from_case(case: &Case, names: &[String]) -> Self {
        let Content::Builtin(instance) = &case.content else {
            return Self::default();
        };
        if names.is_empty() {
            return Self::default();
        }
        let own = problem_of(instance.as_ref()).map_or(&[][..], |problem| problem.parameters());
        Self::in_order(names, own, &instance.parameters())
    }

    /// Values whose names are `own`, in the order of `names`: a run may have cases of several problems.
    fn in_order(names: &[String], own: &[&str], values: &[f64]) -> Self {
        let value = |name: &String| {
            let place = own.iter().position(|own| own == name)?;
            values.get(place).copied()
        };
        Self::new(names.iter().map(value))
    }

    /// Whether no value is known.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many names they are for.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The value of the name at this place.
    pub(crate) fn get(&self, place: usize) -> Option<f64> {
        self.0.get(place).copied().flatten()
    }

    /// `N=15 M=4 eps=0.02`; missing values are left out.
    pub(crate) fn with_names(&self, names: &[String]) -> String {
        let named = |(name, value): (&String, &Option<f64>)| {
            value.map(|value| format!("{name}={}", number_text(value)))
        };
        let named: Vec<String> = names.iter().zip(&self.0).filter_map(named).collect();
        named.join(" ")
    }
}

/// The names of the parameters that cases of these problems have: each once, in the order of the problems.
pub(crate) fn parameter_names(problems: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let specs = problems.iter().filter_map(|text| Spec::parse(text).ok());
    for name in specs.flat_map(|spec| spec.problem.parameters()) {
        if !names.iter().any(|known| known == name) {
            names.push((*name).to_owned());
        }
    }
    names
}

/// A number without useless decimals: `15`, `0.02`. Read as a number, it is the same again.
pub(crate) fn number_text(value: f64) -> String {
    match value.abs() {
        0.0 | 1e-6..1e16 => value.to_string(),
        _ => format!("{value:e}"),
    }
}

/// The same with at most four digits, unless it is a whole number.
pub(crate) fn short_text(value: f64) -> String {
    let rounded = || format!("{value:.3e}").parse().unwrap_or(value);
    number_text(if value.fract() == 0.0 {
        value
    } else {
        rounded()
    })
}

/// As a history and shards keep it: `15 4 0.02`.
impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, value) in self.0.iter().enumerate() {
            let gap = if place == 0 { "" } else { " " };
            let text = value.map_or_else(|| MISSING.to_owned(), number_text);
            write!(f, "{gap}{text}")?;
        }
        Ok(())
    }
}

/// A text that is no list of parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected finite numbers (or - for none) with spaces between, such as \"15 4 0.02\", found {0}"
)]
pub struct NotParameters(String);

impl FromStr for Parameters {
    type Err = NotParameters;

    fn from_str(text: &str) -> Result<Self, NotParameters> {
        let value = |word: &str| match word {
            MISSING => Some(None),
            _ => word.parse().ok().filter(|v: &f64| v.is_finite()).map(Some),
        };
        let values: Option<Vec<_>> = text.split(' ').map(value).collect();
        let read = values.map(Self::new);
        // Where all are missing, nothing would have been written.
        read.filter(|read| !read.is_empty())
            .ok_or_else(|| NotParameters(quote(text.as_bytes())))
    }
}

impl Serialize for Parameters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Parameters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<str>::deserialize(deserializer)?;
        text.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_text_reads_as_what_was_written(values in proptest::collection::vec(any::<Option<f64>>(), 1..5)) {
            let parameters = Parameters::new(values);
            prop_assume!(!parameters.is_empty());
            prop_assert_eq!(parameters.to_string().parse::<Parameters>().unwrap(), parameters);
        }
    }

    #[test]
    fn numbers_have_no_useless_decimals() {
        let text = |values: &[f64]| Parameters::new(values.iter().copied().map(Some)).to_string();
        assert_eq!(text(&[15.0, 4.0, 0.02]), "15 4 0.02");
        assert_eq!(
            text(&[-0.0, 1e300, -2.5e-9, 1e15]),
            "0 1e300 -2.5e-9 1000000000000000"
        );
        assert_eq!(text(&[f64::NAN, 1.0, f64::INFINITY]), "- 1 -");
        assert!(Parameters::new([None, Some(f64::NAN)]).is_empty());
        let short = [123_456.0, 0.02, 0.335_070_284, 1234.56, -1.675_781e-5];
        assert_eq!(
            short.map(short_text).join(" "),
            "123456 0.02 0.3351 1235 -0.00001676"
        );
    }

    #[test]
    fn values_stand_beside_their_names() {
        let names = ["N", "M", "eps"].map(str::to_owned);
        let parameters = Parameters::new([Some(15.0), None, Some(0.02)]);
        assert_eq!(parameters.with_names(&names), "N=15 eps=0.02");
        assert_eq!(
            (parameters.get(2), parameters.get(1), parameters.get(9)),
            (Some(0.02), None, None)
        );
    }

    #[test]
    fn cases_of_several_problems_share_the_names() {
        let names = ["N", "M", "eps"].map(str::to_owned);
        let text =
            |own: &[&str], values: &[f64]| Parameters::in_order(&names, own, values).to_string();
        assert_eq!(text(&["N", "M", "eps"], &[15.0, 4.0, 0.02]), "15 4 0.02");
        assert_eq!(text(&["eps", "K", "N"], &[0.02, 9.0, 15.0]), "15 - 0.02");
        assert_eq!(text(&["K"], &[9.0]), "");
        // A problem that gives fewer values than it has names.
        assert_eq!(text(&["N", "M"], &[15.0]), "15 - -");
    }

    #[test]
    fn what_is_no_list_of_numbers_is_refused() {
        for bad in ["", "-", "- -", "1  2", "1 x", "NaN", "inf", "1,2", " 1"] {
            assert!(bad.parse::<Parameters>().is_err(), "{bad:?}");
        }
        let error = "15 many".parse::<Parameters>().unwrap_err();
        insta::assert_snapshot!(error, @r#"expected finite numbers (or - for none) with spaces between, such as "15 4 0.02", found "15 many""#);
    }
}
