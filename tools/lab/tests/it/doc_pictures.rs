//! The pictures of the documentation are what their commands draw, byte for byte.

use std::path::Path;

use crate::cli::run_in;

/// A picture of `docs/`, and the words after `lab plot` that draw it.
const PICTURES: [(&str, &[&str]); 8] = [
    (
        "articles-turns.svg",
        &["turns", "map", "mi[pool=candidates,tie=first]"],
    ),
    (
        "articles-ties.svg",
        &[
            "turns",
            "mi[tie=first]",
            "mi[tie=candidate]",
            "mi[tie=first,hit-bonus=2]",
        ],
    ),
    (
        "articles-gain.svg",
        &[
            "sweep",
            "--hit-gain",
            "0..30",
            "--problem",
            "hitblow 3 9",
            "--tie",
            "first",
        ],
    ),
    (
        "race.svg",
        &[
            "race",
            "optimal",
            "optimal-worst",
            "mi[hit-bonus=1.5]",
            "mi[hit-bonus=2,tie=first]",
            "mi",
            "minmax",
            "map",
            "--best-against",
            "optimal",
        ],
    ),
    (
        "noise-posterior.svg",
        &["posterior", "--problem", "distance 3 10 10", "--seed", "6"],
    ),
    (
        "noise-gap.svg",
        &["posterior", "--problem", "gap 3 10 10", "--seed", "6"],
    ),
    ("theory-loss.svg", &["loss", "mi", "--hit-bonus", "1.5"]),
    ("theory-bounds.svg", &["bounds"]),
];

/// Those take minutes: 20,000 games, and 100 games of AHC030.
const LONG: [&str; 2] = ["noise-reliability.svg", "oil-calibration.svg"];

#[test]
fn pictures_of_the_documentation_are_drawn_again() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let names = std::fs::read_dir(&docs).unwrap();
    let names = names.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".svg")).collect();
    names.sort();
    let known = PICTURES.iter().map(|(name, _)| *name).chain(LONG);
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    assert_eq!(names, known);
    let dir = tempfile::tempdir().unwrap();
    for (name, words) in PICTURES {
        let args = [&["plot"], words, &["--out", name]].concat();
        let shown = run_in(dir.path(), &args, "");
        assert_eq!(shown.status, 0, "{name}\n{}", shown.stderr);
        let drawn = std::fs::read(dir.path().join(name)).unwrap();
        let is_same = drawn == std::fs::read(docs.join(name)).unwrap();
        assert!(is_same, "docs/{name} is old: lab {}", args.join(" "));
    }
}
