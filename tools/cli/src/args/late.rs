//! The options of a command, declared only once it is known to be the one that was typed.
//!
//! Otherwise every start with an option would declare the options of all commands. For `tester --strict ./solver` that
//! was 1.40 million instructions for one case instead of 0.49 (callgrind).

use clap::builder::Resettable;
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};

/// What was typed after the name of a command.
pub(crate) struct Late<T>(pub(crate) T);

/// Declares the options of `T`. What the command is about stands beside its name, and is there already.
fn declare<T: Args>(command: Command) -> Command {
    let about = command.get_about().cloned();
    let long_about = command.get_long_about().cloned();
    let command = T::augment_args(command);
    command
        .about(Resettable::from(about))
        .long_about(Resettable::from(long_about))
}

impl<T: Args> Args for Late<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(declare::<T>)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<T: FromArgMatches> FromArgMatches for Late<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}
