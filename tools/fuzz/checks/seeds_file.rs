//! A seeds file gives as many seeds as it has lines, or says which line is wrong.

use std::path::Path;

use tester::case::{CaseError, parse_seeds};

pub fn check(bytes: &[u8]) {
    let lines = bytes.split(|&byte| byte == b'\n').count();
    match parse_seeds(Path::new("seeds.txt"), bytes) {
        Ok(seeds) => assert!(!seeds.is_empty() && seeds.len() <= lines),
        Err(CaseError::Seeds { line, .. }) => assert!((1..=lines).contains(&line)),
        Err(other) => panic!("{other}"),
    }
}
