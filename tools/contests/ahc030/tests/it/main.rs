//! The rules and the cases of AHC030, held to the official tools' files and to a slow, obvious twin.

#[allow(dead_code)] // this package uses a part
#[path = "../../../../tests/it/common/browser.rs"]
mod browser;
mod case_file;
#[path = "../../../../tests/it/common/case_files.rs"]
mod case_files;
mod commands;
mod contestants;
mod drawing;
mod hostile;
mod official;
mod page;
mod parameters;
mod problem;
mod rules;
#[path = "../../../../tests/it/common/session_page.rs"]
mod session_page;
mod twin;
