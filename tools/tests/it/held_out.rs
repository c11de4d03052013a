//! Cases that `tester.toml` holds out are judged only where that is meant.

use crate::chosen_cases::{configure, folder, judged, refused};
use crate::common::run_in;

#[test]
fn held_out_cases_of_a_run_are_not_judged_again_and_typed_ones_are_cautioned() {
    let dir = folder();
    configure(dir.path(), "cases = \"in\"\nheld_out = \"5..10\"");
    let cautions = |command: &[&str], words: &str| {
        let words: Vec<&str> = words.split(' ').collect();
        let shown = run_in(dir.path(), &[command, &words].concat(), "");
        assert!(shown.status < 2, "{shown:?}");
        let lines = shown.stderr.lines();
        let lines = lines.filter(|line| line.starts_with("caution:") || line.starts_with("note:"));
        lines.collect::<Vec<_>>().join("\n")
    };
    let batch = |words: &str| cautions(&["batch"], words);
    assert_eq!(batch("--held-out --turn-limit 9 ./c"), "");
    // Cases 0005 to 0008 are accepted, and 0009 has failed.
    insta::assert_snapshot!(refused(dir.path(), "--worst 2"), @"
    tester: run 1 has no accepted case to judge again, except cases that tester.toml holds out
    hint: --of RUN names another run; only --held-out judges held-out cases
    ");
    insta::assert_snapshot!(refused(dir.path(), "--watch --failed"), @"
    tester: run 1 has no failed case to judge again, except cases that tester.toml holds out
    hint: --of RUN names another run; only --held-out judges held-out cases
    ");
    insta::assert_snapshot!(batch("--cases in --turn-limit 4 ./c"), @"caution: held-out cases are judged (5..10): a program that is chosen by them looks better with --held-out than it is");
    insta::assert_snapshot!(batch("--worst 2 ./c"), @"note: of run 2, the held-out cases are left out (5..10)");
    assert_eq!(judged(dir.path(), "--worst 2 --failed --of 2"), "2 3 4");
    assert_eq!(batch("--cases 0..5 ./c"), "");
    insta::assert_snapshot!(batch("--cases 3..7 ./c"), @"caution: held-out cases are judged (5..7): a program that is chosen by them looks better with --held-out than it is");
    assert_eq!(cautions(&["duel", "./c", "./c"], "--held-out"), "");
    insta::assert_snapshot!(cautions(&["duel", "./c", "./c"], "--cases 8,9"), @"caution: held-out cases are judged (8..10): a program that is chosen by them looks better with --held-out than it is");
    configure(dir.path(), "seeds = \"0..5\"\nheld_out = \"5..10\"");
    insta::assert_snapshot!(batch("--seeds 7 ./c"), @"caution: held-out cases are judged (7): a program that is chosen by them looks better with --held-out than it is");
    // Cases are looked at before a line that only compiles, too.
    let built = cautions(&["batch", "--build=cd ."], "--seeds 7 ./c");
    assert_eq!(built, batch("--seeds 7 ./c"));
}
