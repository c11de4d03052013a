//! Which folder of the lab may import which.

use regex::Regex;

use super::{folder, project, read, rust_files};

#[test]
fn imports_of_the_lab_run_in_the_order_of_its_lists() {
    // What shows stands after what computes. Cargo sees to it that the latter knows nothing of the former.
    let sources = ["tools/lab/core/src", "tools/lab/src"].map(|source| project().join(source));
    let place = Regex::new(r"(?m)^//! \d+\. \[`([a-z]+)`\]").unwrap();
    let lists = sources
        .each_ref()
        .map(|source| read(&source.join("lib.rs")))
        .concat();
    let order: Vec<&str> = place
        .captures_iter(&lists)
        .map(|found| found.extract::<1>().1[0])
        .collect();
    let import = Regex::new(r"\bcrate::([a-z_]+)\b").unwrap();
    let mut against = Vec::new();
    for source in &sources {
        for file in rust_files(source) {
            let Some(from) = folder(&file) else { continue };
            let rank = |folder: &str| order.iter().position(|known| *known == folder);
            let own = rank(from);
            assert!(
                own.is_some(),
                "{from} of the lab is not in the list of its lib.rs"
            );
            for found in import.captures_iter(&read(&source.join(&file))) {
                let to = &found[1];
                // The submissions are modules of the library's root.
                let is_submission = ["solver", "oil_solver"].contains(&to);
                if !is_submission && (rank(to).is_none() || rank(to) > own) {
                    against.push(format!("{} imports {to}", file.display()));
                }
            }
        }
    }
    assert!(against.is_empty(), "against the lists: {against:?}");
}
