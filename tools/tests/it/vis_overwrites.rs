//! What a picture by a contest's visualizer must not overwrite: another picture, or a file of yours.

use crate::common::run_in;
use crate::vis_external::{configure, content, contest, vis};

#[test]
fn a_picture_of_the_users_own_stays_where_the_line_writes_that_name() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    std::fs::write(dir.path().join("vis.svg"), "mine").unwrap();
    configure(
        dir.path(),
        "./tools/vis {case} {out}",
        "cat {case} > vis.svg",
    );
    let shown = run_in(dir.path(), &["batch", "--vis-worst", "1"], "");
    assert!(
        shown.stderr.contains("0002  out/runs/1/vis/0002/vis.svg"),
        "{shown:?}"
    );
    assert_eq!(content(dir.path(), "vis.svg"), "mine");
}

#[test]
fn pictures_of_other_files_do_not_replace_those_of_a_run() {
    let dir = tempfile::tempdir().unwrap();
    contest(dir.path());
    let shown = run_in(dir.path(), &["batch", "--vis-worst", "5"], "");
    assert_eq!(shown.status, 0, "{shown:?}");
    let of_run = || content(dir.path(), "out/runs/1/vis/0000/vis.html");
    let picture = of_run();
    assert!(picture.contains("r='30'"), "{picture}");
    let drawn = |case: &str, output: &str, score: u32| {
        let shown = vis(dir.path(), &[case, output]);
        assert_eq!(
            (shown.status, shown.stderr.as_str()),
            (0, format!("out/vis/0000/vis.html of {output}\n").as_str()),
            "{shown:?}"
        );
        let other = content(dir.path(), "out/vis/0000/vis.html");
        assert!(other.contains(&format!("r='{score}'")), "{other}");
    };
    // A case of another name, the output of another case, a case that has changed since.
    std::fs::write(dir.path().join("edited.txt"), "99 0\nsecond line\n").unwrap();
    drawn("edited.txt", "out/runs/1/0000.txt", 99);
    std::os::unix::fs::symlink("out/runs/1", dir.path().join("link")).unwrap();
    drawn("edited.txt", "link/0000.txt", 99);
    drawn("tools/in/0000.txt", "out/runs/1/0001.txt", 30);
    std::fs::write(dir.path().join("tools/in/0000.txt"), "31 0\n").unwrap();
    drawn("0", "out/runs/1/0000.txt", 31);
    assert_eq!(of_run(), picture);
    // The case as it was, from a copy.
    std::fs::write(dir.path().join("edited.txt"), "30 0\nsecond line\n").unwrap();
    let shown = vis(dir.path(), &["edited.txt", "out/runs/1/0000.txt"]);
    let own = "out/runs/1/vis/0000/vis.html of out/runs/1/0000.txt\n";
    assert_eq!(shown.stderr, own);
}
