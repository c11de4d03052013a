//! Help texts and usage errors with the name of this program and with its problems.
//!
//! Texts are written with places: `{tester}` is the program's name, `{problem}` the problem that is used unless you
//! name another, `{other}` another one, and `{here}` says how the program was called if not by its name alone.

use clap::Command;
use tester_core::problem::{default_problem, named, problems, with_defaults};
use tester_core::util::tester_word::{tester_name, tester_word};

/// The same grammar with all places filled.
///
/// Only a request for help and a usage error need this; other starts do not pay for it.
pub(super) fn in_own_words(mut command: Command) -> Command {
    // Each command's own options are declared late.
    command.build();
    let name = tester_name();
    let usage =
        format!("{name} [OPTIONS] PROGRAM [ARGS]... < CASE > OUTPUT\n       {name} <COMMAND>");
    let version = match name.as_str() {
        "tester" => env!("CARGO_PKG_VERSION").to_owned(),
        _ => format!("(tester {})", env!("CARGO_PKG_VERSION")),
    };
    let words = Words::new();
    // clap wants a name and a version that live as long as the process, which ends here.
    let command = words.fill_command(command);
    command
        .override_usage(usage)
        .name(&*name.leak())
        .version(&*version.leak())
}

/// What stands in the places.
struct Words(Vec<(&'static str, String)>);

impl Words {
    fn new() -> Self {
        let (name, word) = (tester_name(), tester_word());
        let here = match name == word {
            true => String::new(),
            false => format!("Here, type {word} instead of {name}.\n\n"),
        };
        Self(vec![
            ("{tester}", name),
            ("{problem}", default_problem().to_owned()),
            ("{other}", other_problem()),
            ("{here}", here),
        ])
    }

    fn fill(&self, text: &str) -> String {
        let fill = |text: String, (place, word): &(&str, String)| text.replace(place, word);
        self.0.iter().fold(text.to_owned(), fill)
    }

    fn fill_command(&self, mut command: Command) -> Command {
        if let Some(text) = command.get_after_help() {
            let text = self.fill(&text.to_string());
            command = command.after_help(text);
        }
        command
            .mut_args(|arg| match arg.get_help() {
                Some(help) => {
                    let help = self.fill(&help.to_string());
                    arg.help(help)
                }
                None => arg,
            })
            .mut_subcommands(|command| self.fill_command(command))
    }
}

/// Another problem; where there is none, the sample after the default parameters.
fn other_problem() -> String {
    if let Some(&second) = problems().get(1) {
        return with_defaults(second);
    }
    let first = problems()[0];
    let known = |params: &&&str| **params != first.default_params();
    let params = first.samples().iter().skip_while(known).nth(1);
    named(first.name(), params.unwrap_or(&first.default_params()))
}
