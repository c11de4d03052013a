//! Many cases: what a run is, and how its cases are judged on worker threads.
//!
//! May import: `process`, `util`, `problem`, `case`, `judge`. Start reading at [`spec`], then [`batch`].

pub mod batch;
pub mod calibrate;
pub mod cancel;
mod case_parameters;
pub mod config;
mod config_values;
pub mod draw;
pub mod duel;
pub mod executor;
mod git;
mod judge_case;
mod judging;
pub mod outputs;
pub mod package;
pub mod program_files;
pub mod program_source;
pub mod provenance;
mod source_list;
mod source_parts;
pub mod spec;
mod stage_file;
mod virtual_source;
mod worker_pool;
