//! The command line: what may be typed, and what it means.
//!
//! Start reading at [`grammar`]: clap parses the command line once. The parsed options are one type (`…Args`,
//! a field for each option, empty where nothing was typed). `tester.toml` fills the empty fields ([`config`]).
//! Methods turn the fields into types of the library (`Source`, `Limits`, `External`, `Command`).

mod attach;
mod batch;
mod best;
mod case_words;
mod cases;
mod config;
mod contest_folder;
mod contest_settings;
mod delete;
mod doctor;
mod duel;
mod edit;
mod external;
mod fast_start;
mod grammar;
mod history;
mod init;
mod interactor;
mod late;
mod limits;
mod merge;
mod new_package;
mod one_case;
mod output;
mod own_words;
mod package;
mod problems;
mod read;
mod scores;
mod sharding;
mod single;
mod source;
mod tune;
mod values;
mod vis;

pub(crate) use attach::{Attach, AttachSettings};
pub(crate) use batch::Batch;
pub(crate) use best::{Best, BestAction, STREAM};
pub(crate) use case_words::is_folder;
pub(crate) use config::MAX_CONFIG;
pub(crate) use delete::Delete;
pub(crate) use doctor::Doctor;
pub(crate) use duel::Duel;
pub(crate) use edit::Edit;
pub(crate) use external::OwnLines;
pub(crate) use grammar::{Cli, Subcommand, similar_command};
pub(crate) use history::{Compare, History, Report, Show};
pub(crate) use init::Init;
pub(crate) use late::Late;
pub(crate) use limits::LimitArgs;
pub(crate) use merge::Merge;
pub(crate) use new_package::New;
pub(crate) use one_case::{Gen, Judge, Play};
pub(crate) use output::{Format, KeptArgs, RunArgs};
pub(crate) use package::Package;
pub(crate) use problems::Problems;
pub(crate) use single::Single;
pub(crate) use source::{Diff, SourceOf};
pub(crate) use tune::{Tune, TuneArgs};
pub(crate) use vis::{Vis, VisSettings};
