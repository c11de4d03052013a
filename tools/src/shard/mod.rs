//! A batch in parts that are judged anywhere, each on its own: which cases a part is of, and what is written of it.
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
//! `sha256` is that of all bytes of the shard in front of `,"sha256":` in its last line, and that line is written in one
//! way only, so that no byte can be lost or changed without notice. Several shards may follow each other in one file.
//!
//! The key is the SHA-256 of everything that decides what is found ([`Manifest::key`]): with the number of a case and the
//! digest of its content, it says what a record is of, wherever it was judged. Numbers that name something and need
//! all 64 bits (cases, seeds, digests) are texts, for many readers of JSON know no integer above 2^53.
//!
//! Nothing here opens a history or starts a program. What is read was written by another machine, and is believed
//! only as far as it can be checked.

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
