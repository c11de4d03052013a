//! The rules and the cases of AHC022, held to the official tools' files and scores and to a slow, obvious twin.

mod case_file;
mod contestants;
mod official;
mod problem;
mod rules;
mod twin;
