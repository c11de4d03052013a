//! Parts of a batch that any machine can judge: which cases a part has, and the text that is written for it.
//!
//! A shard is a text of lines, each a JSON object:
//!
//! ```text
//! {"shard":{"format":2,"index":2,"of":8,"key":"9f…","run":{…},"host":{…},"begun_ms":1795303990123}}
//! {"record":{"case":"250","digest":"00f1…","seed":"250","opening":"hitblow 3 10","verdict":"AC","score":5,…}}
//! …                                          one for each case, in the order in which they were done
//! {"end":{"judged":125,"took_ms":2310,"sha256":"4c…"}}
//! ```
//!
//! `sha256` covers all bytes of the shard before `,"sha256":` in its last line. The last line has only one valid
//! form, so every lost or changed byte is noticed. Several shards may follow each other in one file.
//!
//! The key is the SHA-256 of everything that affects results ([`Manifest::key`]). The key, the number of a case and the
//! digest of its content together identify a record, on any machine. Identifiers that need all 64 bits (cases, seeds,
//! digests) are strings, because many JSON readers have no integers above 2^53.
//!
//! Nothing here opens a history or starts a program. Shards come from other machines, so everything that can be checked
//! is checked. May import: everything from `process` to `store`. Start reading at `manifest`; `write` and `read` are the
//! text, and `merge` makes one run of several.

mod case_set;
mod coverage;
mod duel;
mod format1;
mod line;
mod manifest;
mod merge;
mod part;
mod read;
mod write;

pub use duel::{Duel, NotAlike, Side};
pub use line::End;
pub use manifest::{FORMAT, Header, Manifest};
pub use merge::{InMemory, Merge, MergeError, Merged, RecordSink};
pub use part::{NotAPart, Part};
pub use read::{Event, ReadError, Reader, read_one};
pub use write::Writer;

#[cfg(test)]
mod merge_tests;
#[cfg(test)]
mod tests;
