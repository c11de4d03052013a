//! The rules and the cases of AHC030, held to the official tools' files and to a slow, obvious twin.

mod case_file;
mod official;
mod rules;
mod twin;
