//! Where figures go to be read: one file per sink.

pub mod console;
