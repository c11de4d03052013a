//! Every file of `scripts/` is well formed, says what it does, and has a test.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::common::copied::{has, root};
use crate::common::names;

/// Each file, and what tests it beside the tests of all: a module and a function of it.
const TESTED: [(&str, &str, &str); 25] = [
    (
        "ablation",
        "tools/scripts_run",
        "ablation_prints_a_row_for_each_technique",
    ),
    (
        "atcoder/Cargo.lock",
        "tools/scripts_judge",
        "a_pasted_solver_is_built_by_the_judges_versions_and_judged",
    ),
    (
        "atcoder/Cargo.toml",
        "tools/scripts_judge",
        "a_pasted_solver_is_built_by_the_judges_versions_and_judged",
    ),
    (
        "bench",
        "tools/scripts_run",
        "bench_runs_every_benchmark_of_the_tester",
    ),
    (
        "book",
        "tools/scripts_run",
        "book_replaces_the_strategies_and_nothing_else",
    ),
    (
        "browser",
        "tools/scripts_run",
        "a_browser_is_found_or_missed_in_words",
    ),
    (
        "check-paste",
        "tools/scripts_judge",
        "a_pasted_solver_is_built_by_the_judges_versions_and_judged",
    ),
    (
        "cluster",
        "cluster",
        "what_cannot_be_understood_is_refused_without_dask",
    ),
    (
        "cluster-trials",
        "tools/scripts_run",
        "a_trial_that_is_not_there_is_refused",
    ),
    (
        "cluster.d/batch.py",
        "cluster",
        "run_of_two_workers_is_that_of_one_machine",
    ),
    (
        "cluster.d/drive.py",
        "cluster",
        "nothing_finished_is_lost_or_counted_twice",
    ),
    (
        "cluster.d/local.py",
        "cluster",
        "cluster_of_our_own_listens_on_loopback_and_ends_with_us",
    ),
    (
        "cluster.d/plan.py",
        "cluster",
        "worker_with_another_program_is_told",
    ),
    (
        "cluster.d/policy.py",
        "cluster",
        "run_of_two_workers_is_that_of_one_machine",
    ),
    (
        "cluster.d/worker.py",
        "cluster",
        "nothing_finished_is_lost_or_counted_twice",
    ),
    (
        "environment.py",
        "tools/scripts_run",
        "an_environment_that_cannot_be_made_is_removed",
    ),
    (
        "fuzz",
        "tools/scripts_run",
        "fuzz_runs_all_targets_and_tells_what_was_found",
    ),
    (
        "new-solver",
        "new_solver",
        "new_submission_is_the_example_which_is_built_and_judged",
    ),
    (
        "parallel-ssh",
        "tools/scripts_judge",
        "parallel_ssh_judges_what_is_missing_and_merges",
    ),
    (
        "paste",
        "tools/scripts_paste",
        "pasted_solvers_play_by_the_rules_of_codeforces",
    ),
    (
        "paste.d/crates.rs",
        "tools/scripts_paste",
        "pasted_solvers_play_by_the_rules_of_codingame",
    ),
    (
        "score",
        "tools/scripts_judge",
        "score_judges_all_cases_of_the_folder",
    ),
    (
        "slurm-array",
        "tools/scripts_judge",
        "slurm_array_judges_the_shard_of_its_task",
    ),
    (
        "soak",
        "tools/scripts_run",
        "soak_runs_the_test_of_that_name",
    ),
    (
        "test",
        "tools/scripts_run",
        "test_runs_every_check_and_prints_the_times",
    ),
];

/// All files of `scripts/`, except those that Python compiles.
fn files() -> Vec<String> {
    let scripts = root().join("scripts");
    let mut all = Vec::new();
    for name in names(&scripts)
        .into_iter()
        .filter(|name| name != "__pycache__")
    {
        if scripts.join(&name).is_dir() {
            let inside = names(&scripts.join(&name));
            let inside = inside.into_iter().filter(|name| name != "__pycache__");
            all.extend(inside.map(|file| format!("{name}/{file}")));
        } else {
            all.push(name);
        }
    }
    all.sort();
    all
}

/// The first line of a script.
fn first_line(name: &str) -> String {
    let text = fs::read_to_string(root().join("scripts").join(name)).unwrap();
    text.lines().next().unwrap().to_owned()
}

#[test]
fn every_file_has_a_test() {
    let listed = TESTED.map(|(file, _, _)| file.to_owned());
    assert_eq!(
        files(),
        listed,
        "a script without a test, or a test without its script"
    );
    for (file, module, test) in TESTED {
        let path = match module.strip_prefix("tools/") {
            Some(module) => root().join(format!("tools/tests/it/{module}.rs")),
            None => root().join(format!("tests/it/{module}.rs")),
        };
        let text = fs::read_to_string(&path).unwrap();
        assert!(
            text.contains(&format!("fn {test}()")),
            "{file}: no {test} in {path:?}"
        );
    }
}

#[test]
fn every_script_answers_help_with_its_own_text() {
    for name in files() {
        let path = root().join("scripts").join(&name);
        let line = first_line(&name);
        if !line.starts_with("#!") {
            continue; // a module or data
        }
        if line.contains("python") && !has("python3") {
            continue;
        }
        for help in ["--help", "-h"] {
            let output = Command::new(&path).arg(help).output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(0), "{name} {help}: {said}");
            assert_eq!(output.stderr, b"", "{name} {help}");
            // Its own first sentence, not that of a program it calls.
            let text = fs::read_to_string(&path).unwrap();
            let own = text
                .lines()
                .skip(1)
                .find(|line| !line.starts_with("#SBATCH"))
                .unwrap();
            let own = own.trim_start_matches("# ").trim_start_matches("\"\"\"");
            assert!(
                said.contains(own),
                "{name} {help}: expected {own:?} in {said}"
            );
        }
    }
}

#[test]
fn every_script_is_well_formed() {
    let of = |ends: &str| {
        let all = files().into_iter();
        let some = all.filter(|name| name.ends_with(".py") || first_line(name).ends_with(ends));
        some.filter(|name| {
            name.ends_with(".py") == (ends == "python3") || first_line(name).ends_with(ends)
        })
        .map(|name| root().join("scripts").join(name))
        .collect::<Vec<_>>()
    };
    let passes = |program: &str, args: &[&str], files: &[PathBuf]| {
        let output = Command::new(program)
            .args(args)
            .args(files)
            .output()
            .unwrap();
        assert!(output.status.success(), "{program}: {output:?}");
    };
    for file in of("bash") {
        passes("bash", &["-n"], &[file]);
    }
    if has("shellcheck") {
        passes("shellcheck", &["--severity=warning"], &of("bash"));
    }
    if has("python3") {
        let compile =
            "import sys\nfor name in sys.argv[1:]: compile(open(name).read(), name, 'exec')";
        passes("python3", &["-c", compile], &of("python3"));
    }
}
