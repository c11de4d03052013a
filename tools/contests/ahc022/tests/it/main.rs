//! The rules and the cases of AHC022, held to the official tools' files and scores and to a slow, obvious twin.

mod case_file;
#[path = "../../../../tests/it/common/case_files.rs"]
mod case_files;
mod contestants;
mod official;
mod problem;
mod rules;
mod twin;
