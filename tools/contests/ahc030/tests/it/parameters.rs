//! N, M and eps of each case in everything that a run leaves, through the real binary.

use std::path::Path;
use std::process::Command;

use crate::browser::Page;
use ahc030::problem::AHC030;
use tester::Seed;
use tester::problem::Problem;

/// Reads the input, drills one cell and gives up.
const GIVES_UP: &str = "#!/bin/sh\nread n m eps\nwhile [ $m -gt 0 ]; do read shape; m=$((m - 1)); done\n\
                        echo q 1 0 0\nread value\nexit 1\n";

/// What the program prints for these words. Some contestants fail, so that the status is 0 or 1.
fn printed(dir: &Path, words: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ahc030"));
    command.args(words.split(' ')).current_dir(dir);
    let shown = command.output().unwrap();
    let status = shown.status.code();
    assert!(matches!(status, Some(0 | 1)), "{words}: {shown:?}");
    String::from_utf8(shown.stdout).unwrap()
}

/// Checks that CSV has the first line of each case file, `N M eps`, in its last columns. Returns how many cases it has.
fn check(csv: &str) -> usize {
    let mut lines = csv.lines();
    let head = lines.next().unwrap();
    assert!(head.ends_with(",reason,N,M,eps"), "{head}");
    let check = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let seed = fields[0].parse().unwrap();
        let case = AHC030.generate(&[], Seed(seed)).unwrap().to_text();
        // The file has two decimals: 0.10.
        let expected = case.lines().next().unwrap().trim_end_matches('0');
        assert_eq!(fields[fields.len() - 3..].join(" "), expected, "{line}");
    };
    lines.map(check).count()
}

#[test]
fn runs_duels_and_shards_keep_them() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    std::fs::write(dir.join("a.sh"), GIVES_UP).unwrap();
    std::fs::write(dir.join("b.sh"), GIVES_UP).unwrap();
    let of_seeds = printed(dir, "batch --seeds 0..6 --csv -- sh a.sh");
    assert_eq!(check(&of_seeds), 6);
    // A run that stops at its first failure, and goes on.
    printed(dir, "batch --seeds 0..6 --fail-fast --jobs 1 -- sh a.sh");
    assert_eq!(check(&printed(dir, "show --csv")), 1);
    assert_eq!(check(&printed(dir, "batch --resume --csv")), 6);
    // From files.
    printed(dir, "gen --seeds 0..6");
    assert_eq!(check(&printed(dir, "batch --csv -- sh a.sh")), 6);
    // Two runs.
    let mut duel = Command::new(env!("CARGO_BIN_EXE_ahc030"));
    duel.args(["duel", "--max-cases", "3", "sh a.sh", "sh b.sh"]);
    assert_eq!(
        duel.current_dir(dir).output().unwrap().status.code(),
        Some(1)
    );
    assert_eq!(check(&printed(dir, "show --csv")), 3);
    // In shards, and merged.
    for part in 1..=2 {
        let shard = format!("batch --seeds 0..6 --shard {part}/2 --to {part}.jsonl");
        printed(dir, &format!("{shard} -- sh a.sh"));
    }
    let first = std::fs::read_to_string(dir.join("1.jsonl")).unwrap();
    assert!(first.contains(r#""parameters":["N","M","eps"]"#), "{first}");
    printed(dir, "merge 1.jsonl 2.jsonl --history merged");
    assert_eq!(check(&printed(dir, "show --csv --history merged")), 6);
}

#[test]
#[ignore = "needs Chromium"]
fn a_report_has_them_as_columns_and_pictures() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let contestants = concat!(env!("CARGO_MANIFEST_DIR"), "/contestants");
    for name in ["drill", "random_asker"] {
        let batch = format!("batch --seeds 0..12 --tag {name} --time-limit 60 --csv");
        let csv = printed(dir, &format!("{batch} -- python3 {contestants}/{name}.py"));
        assert_eq!(check(&csv), 12);
    }
    printed(dir, "report drill random_asker");
    let page = Page::new(1280, 900);
    page.open(&dir.join("out/report.html"), "");
    let case = AHC030.generate(&[], Seed(0)).unwrap().to_text();
    let seen: Vec<String> = (0..3)
        .map(|p| page.text(&format!(".tabulator-row [tabulator-field='parameter{p}']")))
        .collect();
    let expected = case.lines().next().unwrap().trim_end_matches('0');
    assert_eq!(seen.join(" "), expected);
    // A picture for each parameter, with the cases of both runs.
    for p in 0..3 {
        let points = format!(
            "[0, 1].map((set) => Chart.getChart('parameter-{p}').data.datasets[set].data\
             .reduce((sum, point) => sum + point.count, 0))"
        );
        assert_eq!(page.eval(&points).to_string(), "[12,12]");
    }
    // Drilling every cell is better on each of these cases, and so has the best known score.
    let relative = page.texts("#parameter-table tbody tr td:nth-of-type(3)");
    assert!(relative.iter().all(|text| text == "100.00"), "{relative:?}");
    assert!(page.text("#where").starts_with("B is worse than A"));
    page.eval("place('parameters').scrollIntoView()");
    page.picture("ahc030-parameters");
    page.resize(390, 844, true);
    page.eval("place('parameters').scrollIntoView()");
    page.picture("ahc030-parameters-390");
    let fits = "document.documentElement.scrollWidth <= innerWidth";
    assert_eq!(page.eval(fits), true);
    assert_eq!(page.faults().to_string(), "[]");
}
