//! The rules and the cases of AHC030, held to the official tools' files and to a slow, obvious twin.

mod case_file;
mod contestants;
mod official;
mod problem;
mod rules;
mod twin;
