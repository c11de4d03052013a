//! What each command does: a file for each, with its name. Start reading at [`dispatch()`].
//!
//! Other files have what several commands share. From options to a run: `run_spec`, `again` (cases of an earlier run),
//! `new_run`, `run_folder`, `sandbox`, `batch_job`, `resume`. Around a run: `build`, `draw`, `cautions`, `time_use`,
//! `origin` of shards.

mod again;
mod attach;
mod attach_recipe;
mod batch;
mod batch_job;
mod best;
mod build;
mod cargo_metadata;
mod cautions;
mod compare;
mod delete;
mod dispatch;
mod doctor;
mod draw;
mod duel;
mod duel_job;
mod edit;
mod generate;
pub(super) mod import_error;
mod init;
mod instance_of_seed;
mod judge;
mod merge;
mod merge_duel;
mod new_package;
mod new_run;
mod origin;
mod own_program;
mod package;
mod package_files;
mod play;
mod problems;
mod report;
mod resume;
mod run_folder;
mod run_spec;
mod sandbox;
mod shard;
mod show;
mod single;
mod source;
mod time_use;
mod tune;
mod vis;
mod watch;
mod watched;

pub(super) use dispatch::dispatch;
