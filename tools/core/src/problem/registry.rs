//! The list of problems that this process knows, and how a line names one of them.

use std::sync::OnceLock;

use super::lines::{InstanceError, Lines, ParamError};
use super::parameter_names::{BadNames, check_names};
use super::rng::Seed;
use super::traits::{Instance, Instances, Problem};
use super::{balance, codes, distance, hitblow, liar, mastermind, words};
use crate::util::quote::quote;
use crate::util::template::Template;

/// The problems of this package, in the order in which help texts list them.
pub static BUILT_IN: &[&dyn Problem] = &[
    &hitblow::HIT_BLOW,
    &mastermind::MASTERMIND,
    &distance::DISTANCE,
    &distance::GAP,
    &balance::BALANCE,
    &liar::LIAR,
];

/// The list that was given to `main_with`.
static GIVEN: OnceLock<&[&dyn Problem]> = OnceLock::new();

/// The problems that this process knows, in the order in which help texts list them: those that were given to
/// `main_with`; without that, [`BUILT_IN`].
pub fn problems() -> &'static [&'static dyn Problem] {
    GIVEN.get().copied().unwrap_or(BUILT_IN)
}

/// Whether this program has the problems of the tester itself, and is not that of a package with others.
pub fn has_built_in_problems() -> bool {
    let names = |list: &'static [&'static dyn Problem]| list.iter().map(|one| one.name());
    names(problems()).eq(names(BUILT_IN))
}

/// The problem and parameters that are used unless you name others, such as `hitblow 3 10`: the first problem with its
/// [default parameters](Problem::default_params).
pub fn default_problem() -> &'static str {
    static DEFAULT: OnceLock<String> = OnceLock::new();
    DEFAULT.get_or_init(|| example_of(problems()))
}

/// Why a list of problems is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ListError {
    /// It is empty.
    #[error("expected at least one problem, found none")]
    Empty,
    /// A name that a line could not begin with.
    #[error("expected a name that is one word, found the problem {0:?}")]
    Name(&'static str),
    /// Two problems have the same name.
    #[error("expected problems with different names, found two called {0:?}")]
    Twice(&'static str),
    /// Its cases' parameters cannot be columns.
    #[error("in the problem {0:?}, {1}")]
    Parameters(&'static str, BadNames),
    /// Nothing would tell the files of two problems apart.
    #[error(
        "expected at most one problem whose case files begin without its name, found {0:?} and {1:?}"
    )]
    Nameless(&'static str, &'static str),
    /// Another list is in use.
    #[error("expected one list of problems for each process, found another after the first")]
    Another,
}

/// Makes `list` the one of this process.
///
/// # Errors
/// If no list could look like that, or there is one already.
pub fn use_problems(list: &[&'static dyn Problem]) -> Result<(), ListError> {
    check(list)?;
    // It is used until the process ends.
    let list: &'static [_] = list.to_vec().leak();
    GIVEN.set(list).map_err(|_| ListError::Another)
}

/// Whether `list` can be the list of a process.
pub(super) fn check(list: &[&'static dyn Problem]) -> Result<(), ListError> {
    if list.is_empty() {
        return Err(ListError::Empty);
    }
    for (at, problem) in list.iter().enumerate() {
        let name = problem.name();
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(ListError::Name(name));
        }
        if list[..at].iter().any(|other| other.name() == name) {
            return Err(ListError::Twice(name));
        }
        let bad = |bad| ListError::Parameters(name, bad);
        check_names(problem.parameters()).map_err(bad)?;
    }
    let mut nameless = list
        .iter()
        .filter(|problem| !problem.files_begin_with_name());
    match (nameless.next(), nameless.next()) {
        (Some(first), Some(second)) => Err(ListError::Nameless(first.name(), second.name())),
        _ => Ok(()),
    }
}

/// A problem of the list with parameters, for messages.
fn example_of(list: &[&dyn Problem]) -> String {
    with_defaults(*list.first().expect("a list with a problem"))
}

/// The problem of the list whose name is most like `name`; the first one if none is.
fn example_like(list: &[&dyn Problem], name: &str) -> String {
    let likeness = |problem: &&&dyn Problem| strsim::jaro(problem.name(), name);
    let likest = list
        .iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)));
    match likest.filter(|problem| likeness(problem) > ALIKE) {
        Some(likest) => with_defaults(*likest),
        None => example_of(list),
    }
}

/// From here on, two names are alike, as for clap's suggestions.
const ALIKE: f64 = 0.7;

/// A problem with its [default parameters](Problem::default_params), as you type it.
pub fn with_defaults(problem: &dyn Problem) -> String {
    named(problem.name(), problem.default_params())
}

/// A problem with parameters, as you type it.
pub fn named(name: &str, params: &str) -> String {
    format!("{name} {params}").trim_end().to_owned()
}

/// The problem and parameters that a line such as `hitblow 3 10` names.
pub struct Spec<'a> {
    /// The member of [`problems`].
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
        Self::parse_with(problems(), text)
    }

    fn parse_with(list: &[&'static dyn Problem], text: &'a str) -> Result<Self, ParamError> {
        let mut words = text.split_ascii_whitespace();
        let name = words.next().unwrap_or_default();
        match list.iter().find(|problem| problem.name() == name) {
            Some(&problem) => Ok(Self {
                problem,
                params: words.collect(),
            }),
            None => Err(ParamError {
                expected: format!("a problem such as \"{}\"", example_like(list, name)),
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
    problem_named(&instance.spec())
}

/// The problem that a line such as `hitblow 3 10` names; `None` if it is not in the list.
pub fn problem_named(spec: &str) -> Option<&'static dyn Problem> {
    Some(Spec::parse(spec).ok()?.problem)
}

/// What all problems say of refused lines.
pub(crate) fn reasons() -> impl Iterator<Item = Template> {
    let shared = words::TEMPLATES.iter().chain(codes::TEMPLATES);
    shared
        .chain(problems().iter().flat_map(|problem| problem.reasons()))
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
    parse_case_with(problems(), text)
}

/// [`parse_case`] of one of these problems, whatever this process knows: for tests of a problem.
///
/// # Errors
/// As [`parse_case`].
pub fn parse_case_with(
    list: &[&'static dyn Problem],
    text: &str,
) -> Result<Box<dyn Instance>, InstanceError> {
    // Some editors put a byte order mark in front.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = Lines::new(text);
    let instance = match nameless(list, text) {
        Some(problem) => problem.parse(&[], &mut lines)?,
        None => {
            let expected = format!("an opening such as \"{}\"", example_of(list));
            let spec = Spec::parse_with(list, lines.next(&expected)?);
            let spec = spec.map_err(|e| lines.refused(e))?;
            spec.problem.parse(&spec.params, &mut lines)?
        }
    };
    lines.end()?;
    Ok(instance)
}

/// The problem whose files begin without a name, if this one does not begin with the name of another.
fn nameless(list: &[&'static dyn Problem], text: &str) -> Option<&'static dyn Problem> {
    let name = text
        .lines()
        .next()
        .unwrap_or_default()
        .split_ascii_whitespace()
        .next();
    let is_named =
        |problem: &&dyn Problem| problem.files_begin_with_name() && Some(problem.name()) == name;
    let nameless = list
        .iter()
        .find(|problem| !problem.files_begin_with_name())?;
    (!list.iter().any(is_named)).then_some(*nameless)
}
