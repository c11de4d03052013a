//! The static list of the problems that this judge knows, and how a line names one of them.

use super::lines::{InstanceError, Lines, ParamError};
use super::rng::Seed;
use super::traits::{Instance, Instances, Problem};
use super::{balance, codes, distance, hitblow, mastermind, words};
use crate::util::quote::quote;
use crate::util::template::Template;

/// Every problem, in the order in which help texts list them.
pub static PROBLEMS: &[&dyn Problem] = &[
    &hitblow::HIT_BLOW,
    &mastermind::MASTERMIND,
    &distance::DISTANCE,
    &balance::BALANCE,
];

/// Problems that only this package's tests know: the worked example of `docs/adding-a-problem.md`.
#[cfg(test)]
static EXAMPLES: &[&dyn Problem] = &[&super::example::LEAK];

#[cfg(not(test))]
static EXAMPLES: &[&dyn Problem] = &[];

/// Where names are looked up.
pub(super) fn all_problems() -> impl Iterator<Item = &'static dyn Problem> {
    PROBLEMS.iter().chain(EXAMPLES).copied()
}

/// The problem that is used unless you name another.
pub const DEFAULT_PROBLEM: &str = "hitblow 3 10";

/// The problem and parameters that a line such as `hitblow 3 10` names.
pub struct Spec<'a> {
    /// The member of [`PROBLEMS`].
    pub problem: &'static dyn Problem,
    /// Its parameters, not yet checked.
    pub params: Vec<&'a str>,
}

impl<'a> Spec<'a> {
    /// Splits at white space and looks the name up.
    ///
    /// # Errors
    /// If no problem has that name.
    pub fn parse(text: &'a str) -> Result<Self, ParamError> {
        let mut words = text.split_ascii_whitespace();
        let name = words.next().unwrap_or_default();
        match all_problems().find(|problem| problem.name() == name) {
            Some(problem) => Ok(Self {
                problem,
                params: words.collect(),
            }),
            None => Err(ParamError {
                expected: format!("a problem such as \"{DEFAULT_PROBLEM}\""),
                found: quote(text.as_bytes()),
            }),
        }
    }

    /// [`Problem::generate`] with these parameters.
    ///
    /// # Errors
    /// As [`Problem::generate`].
    pub fn generate(&self, seed: Seed) -> Result<Box<dyn Instance>, ParamError> {
        self.problem.generate(&self.params, seed)
    }

    /// [`Problem::enumerate`] with these parameters.
    ///
    /// # Errors
    /// As [`Problem::enumerate`], and if the problem's secrets cannot be listed.
    pub fn enumerate(&self) -> Result<Instances, ParamError> {
        let listed = self.problem.enumerate(&self.params)?;
        listed.ok_or_else(|| ParamError {
            expected: "a problem whose secrets can be listed".to_owned(),
            found: quote(self.problem.name().as_bytes()),
        })
    }
}

/// The problem that an instance is of; `None` if it is not in the list.
pub fn problem_of(instance: &dyn Instance) -> Option<&'static dyn Problem> {
    Some(Spec::parse(&instance.spec()).ok()?.problem)
}

/// What all problems say of refused lines.
pub(crate) fn reasons() -> impl Iterator<Item = Template> {
    let shared = words::TEMPLATES.iter().chain(codes::TEMPLATES);
    shared
        .chain(all_problems().flat_map(|problem| problem.reasons()))
        .copied()
}

/// Reads a case file's text.
///
/// Lines may end in `\r\n`, numbers may be separated by any ASCII white space, and blank lines may
/// follow the last one; everything else must be as [`Instance::to_text`] writes it.
///
/// # Errors
/// With the line's number, what was expected there and what was found.
pub fn parse_case(text: &str) -> Result<Box<dyn Instance>, InstanceError> {
    // Some editors put a byte order mark in front.
    let mut lines = Lines::new(text.strip_prefix('\u{feff}').unwrap_or(text));
    let opening = lines.next("an opening such as \"hitblow 3 10\"")?;
    let spec = Spec::parse(opening).map_err(|e| lines.refused(e))?;
    let instance = spec.problem.parse(&spec.params, &mut lines)?;
    lines.end()?;
    Ok(instance)
}
