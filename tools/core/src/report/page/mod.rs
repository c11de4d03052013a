//! Pages: one HTML file each. Start reading at [`document`]; `report` and `session` are its two pages.
//!
//! What stands in a page is data; the scripts of `tools/core/web` show it.

pub mod assets;
mod columns;
mod data;
pub mod document;
pub mod report;
pub mod session;
pub mod translations;

pub use columns::Number;
