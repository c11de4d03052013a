//! What each command does: a file for each. Start reading at [`dispatch()`].

mod again;
mod attach;
mod attach_recipe;
mod batch;
mod best;
mod build;
mod cargo_metadata;
mod cautions;
mod compare;
mod dispatch;
mod doctor;
mod draw;
mod duel;
mod edit;
mod generate;
pub(super) mod import_error;
mod init;
mod judge;
mod merge;
mod merge_duel;
mod new_package;
mod package;
mod package_files;
mod play;
mod problems;
mod report;
mod resume;
mod run_spec;
mod shard;
mod show;
mod single;
mod time_use;
mod tune;
mod vis;
mod watch;

pub(super) use dispatch::dispatch;
