//! Folders of runs: made, written over, and expired.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::{TempDir, tempdir};

use super::tests::{judged, new_run};
use super::*;

const KEEP: NonZeroUsize = NonZeroUsize::new(2).unwrap();

struct Place {
    dir: TempDir,
    history: History,
}

impl Place {
    fn new() -> Self {
        let dir = tempdir().unwrap();
        let history = History::open(&dir.path().join("h.sqlite")).unwrap();
        Self { dir, history }
    }

    fn runs(&self) -> PathBuf {
        self.dir.path().join("out/runs")
    }

    /// A run with this many cases that prints `text` in each.
    fn run(&mut self, cases: u64, text: &str) -> (RunId, PathBuf) {
        let (run, folder) = self
            .history
            .begin_in(&new_run(None), &self.runs(), KEEP)
            .unwrap();
        for case in 0..cases {
            fs::write(folder.join(format!("{case:04}.txt")), text).unwrap();
            self.history.add(run, &[judged(case, Some(case))]).unwrap();
        }
        self.end(run);
        (run, folder)
    }

    fn end(&mut self, run: RunId) {
        self.history.remove_leftovers(run).unwrap();
        self.history.end(run, State::Done, Duration::ZERO).unwrap();
        let runs = self.runs();
        self.history.remove_expired(&runs, KEEP).unwrap();
    }

    fn folder(&self, run: RunId) -> Option<PathBuf> {
        self.history.find(&run.to_string()).unwrap().folder
    }
}

fn names(dir: &Path) -> Vec<String> {
    let names = fs::read_dir(dir).unwrap();
    let mut names: Vec<String> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_folder_of_the_oldest_run_becomes_that_of_the_newest() {
    let mut place = Place::new();
    let (first, folder) = place.run(3, "first");
    fs::write(folder.join("0002.err"), "oops").unwrap();
    fs::write(folder.join("0001.err"), "").unwrap();
    fs::write(folder.join("notes.md"), "mine").unwrap();
    let inode = |path: PathBuf| std::os::unix::fs::MetadataExt::ino(&fs::metadata(path).unwrap());
    let before = inode(folder.join("0000.txt"));
    place.run(3, "second");
    assert_eq!(names(&place.runs()), ["1", "2"]);
    let (third, folder) = place.run(2, "third");
    assert_eq!(names(&place.runs()), ["2", "3"]);
    assert_eq!(
        (place.folder(first), place.folder(third)),
        (None, Some(folder.clone()))
    );
    assert_eq!(
        inode(folder.join("0000.txt")),
        before,
        "it was written over"
    );
    // Nothing is left of the other run, and what is not an output stays.
    assert_eq!(names(&folder), ["0000.txt", "0001.txt", "notes.md"]);
}

#[test]
fn a_run_with_another_out_removes_no_outputs_of_the_usual_one() {
    let mut place = Place::new();
    let kept = [place.run(1, "first"), place.run(1, "second")];
    let elsewhere = place.dir.path().join("elsewhere/runs");
    let one = NonZeroUsize::MIN;
    for _ in 0..3 {
        let begun = place.history.begin_in(&new_run(None), &elsewhere, one);
        let (run, folder) = begun.unwrap();
        fs::write(folder.join("0000.txt"), "x").unwrap();
        place.history.add(run, &[judged(0, Some(1))]).unwrap();
        place.history.end(run, State::Done, Duration::ZERO).unwrap();
        place.history.remove_expired(&elsewhere, one).unwrap();
    }
    assert_eq!(names(&elsewhere), ["5"]);
    for (run, folder) in kept {
        assert_eq!(place.folder(run), Some(folder.clone()));
        assert_eq!(names(&folder), ["0000.txt"]);
    }
}

#[test]
fn where_fewer_runs_are_kept_than_before_the_others_expire() {
    let mut place = Place::new();
    for _ in 0..4 {
        let (run, folder) = place
            .history
            .begin_in(&new_run(None), &place.runs(), NonZeroUsize::MAX)
            .unwrap();
        fs::write(folder.join("0000.txt"), "x").unwrap();
        place.history.add(run, &[judged(0, Some(1))]).unwrap();
        place.history.end(run, State::Done, Duration::ZERO).unwrap();
    }
    fs::write(place.runs().join("2/mine"), "mine").unwrap();
    fs::create_dir(place.runs().join("mine")).unwrap();
    let (last, _) = place.run(1, "last");
    assert_eq!(last, RunId(5));
    assert_eq!(names(&place.runs()), ["2.expired", "4", "5", "mine"]);
    assert_eq!(names(&place.runs().join("2.expired")), ["mine"]);
    assert_eq!(place.folder(RunId(3)), None);
}

#[test]
fn what_is_being_judged_and_what_was_removed_by_hand_is_no_error() {
    let mut place = Place::new();
    let runs = place.runs();
    let (live, folder) = place.history.begin_in(&new_run(None), &runs, KEEP).unwrap();
    for _ in 0..3 {
        place.run(1, "x");
    }
    // It is the oldest, and we are judging it.
    assert_eq!(place.folder(live), Some(folder));
    fs::remove_dir_all(place.runs().join("4")).unwrap();
    place.end(live);
    assert_eq!(names(&place.runs()), ["3"]);
    fs::remove_dir_all(place.runs()).unwrap();
    let (run, folder) = place.run(1, "x");
    assert_eq!(place.folder(run), Some(folder));
    assert_eq!(names(&place.runs()), ["5"]);
    // A link in the place of a folder is not followed.
    let away = place.dir.path().join("away");
    fs::create_dir(&away).unwrap();
    fs::write(away.join("0000.txt"), "precious").unwrap();
    fs::remove_dir_all(place.runs().join("5")).unwrap();
    std::os::unix::fs::symlink(&away, place.runs().join("5")).unwrap();
    for _ in 0..3 {
        place.run(1, "x");
    }
    assert_eq!(
        fs::read_to_string(away.join("0000.txt")).unwrap(),
        "precious"
    );
}

#[test]
fn a_deleted_run_takes_its_outputs_and_pictures_along_and_nothing_else() {
    let mut place = Place::new();
    let folders = [1, 2].map(|_| place.run(2, "x").1);
    for folder in &folders {
        fs::create_dir_all(folder.join("vis/0000")).unwrap();
        fs::write(folder.join("vis/0000/vis.html"), "x").unwrap();
        fs::write(folder.join("0001.err"), "x").unwrap();
    }
    fs::write(folders[1].join("notes.md"), "mine").unwrap();
    let mut passed = 0;
    let mut delete = |run: &str| {
        let run = place.history.find(run).unwrap();
        let mut pass = || passed += 1;
        place.history.delete(&[run], &mut pass).unwrap()
    };
    assert_eq!(delete("1"), [] as [PathBuf; 0]);
    assert_eq!(delete("2"), [folders[1].clone()]);
    // Two cases in two runs: the copy, then the output.
    assert_eq!(passed, 2 * 2 * 2);
    assert_eq!(names(&place.runs()), ["2"]);
    assert_eq!(names(&folders[1]), ["notes.md"]);
    // A link in the place of a folder is not followed, and a folder that is gone is no error.
    let folders = [1, 2].map(|_| place.run(1, "x").1);
    let away = place.dir.path().join("away");
    fs::rename(&folders[0], &away).unwrap();
    std::os::unix::fs::symlink(&away, &folders[0]).unwrap();
    fs::remove_dir_all(&folders[1]).unwrap();
    let runs = ["3", "4"].map(|run| place.history.find(run).unwrap());
    assert_eq!(
        place.history.delete(&runs, &mut || ()).unwrap(),
        [folders[0].clone()]
    );
    assert_eq!(names(&away), ["0000.txt"]);
}

#[test]
fn two_histories_that_share_a_folder_do_not_touch_each_others_runs() {
    let mut one = Place::new();
    let mut other = Place::new();
    other.dir = tempdir().unwrap();
    std::os::unix::fs::symlink(one.dir.path().join("out"), other.dir.path().join("out")).unwrap();
    let (_, first) = one.run(1, "one");
    let (_, second) = other.run(1, "other");
    assert!(first.ends_with("runs/1") && second.ends_with("runs/1-2"));
    for _ in 0..4 {
        other.run(1, "other");
    }
    assert_eq!(fs::read_to_string(first.join("0000.txt")).unwrap(), "one");
}

#[test]
fn a_run_that_is_resumed_goes_on_in_its_folder_or_in_a_new_one() {
    let mut place = Place::new();
    let runs = place.runs();
    let (run, folder) = place.history.begin_in(&new_run(None), &runs, KEEP).unwrap();
    place
        .history
        .end(run, State::Unfinished, Duration::ZERO)
        .unwrap();
    place.history.resume(run).unwrap().unwrap();
    assert_eq!(place.history.resume_in(run, &runs).unwrap(), folder);
    fs::remove_dir(&folder).unwrap();
    assert_eq!(place.history.resume_in(run, &runs).unwrap(), folder);
    assert!(folder.is_dir());
    place
        .history
        .end(run, State::Unfinished, Duration::ZERO)
        .unwrap();
    for _ in 0..3 {
        place.run(1, "later");
    }
    assert_eq!(place.folder(run), None);
    place.history.resume(run).unwrap().unwrap();
    let folder = place.history.resume_in(run, &runs).unwrap();
    assert_eq!(place.folder(run), Some(folder));
}

#[test]
fn history_and_outputs_can_be_moved_together() {
    let mut place = Place::new();
    let (run, _) = place.run(1, "x");
    let Place { dir, history } = place;
    drop(history);
    let moved = dir.path().join("moved");
    fs::create_dir(&moved).unwrap();
    for name in ["h.sqlite", "out"] {
        fs::rename(dir.path().join(name), moved.join(name)).unwrap();
    }
    let history = History::open_existing(&moved.join("h.sqlite")).unwrap();
    let folder = history.find(&run.to_string()).unwrap().folder.unwrap();
    assert_eq!(folder, moved.join("out/runs/1"));
    assert_eq!(fs::read_to_string(folder.join("0000.txt")).unwrap(), "x");
}

#[test]
fn a_concealed_folder_has_its_usual_name_again_when_it_is_revealed() {
    let mut place = Place::new();
    let runs = place.runs();
    let (run, folder) = place.history.begin_in(&new_run(None), &runs, KEEP).unwrap();
    fs::write(folder.join("0000.txt"), "first").unwrap();
    let concealed = place.history.conceal(run).unwrap();
    assert_eq!(place.folder(run).as_ref(), Some(&concealed));
    let name = concealed.file_name().unwrap().to_str().unwrap();
    assert!(name.starts_with("1-") && name.len() == 34, "{name}");
    assert_eq!(names(&runs), [name]);
    // After the judge was killed, the run is resumed there, under another name.
    assert_eq!(place.history.resume_in(run, &runs).unwrap(), concealed);
    let again = place.history.conceal(run).unwrap();
    assert_ne!(again, concealed);
    assert_eq!(place.history.reveal(run).unwrap(), folder);
    assert_eq!(place.folder(run).as_ref(), Some(&folder));
    assert_eq!(names(&runs), ["1"]);
    assert_eq!(names(&folder), ["0000.txt"]);
    // A folder that another history has made keeps its name.
    let concealed = place.history.conceal(run).unwrap();
    fs::create_dir(&folder).unwrap();
    assert_eq!(place.history.reveal(run).unwrap(), runs.join("1-2"));
    assert!(!concealed.exists() && names(&folder).is_empty());
}

#[test]
fn what_the_history_could_not_write_down_has_not_happened_to_folders() {
    let mut place = Place::new();
    let (first, folder) = place.run(2, "first");
    let (second, _) = place.run(2, "second");
    let hidden = place.history.conceal(second).unwrap();
    place
        .history
        .db
        .execute_batch(
            "CREATE TEMP TRIGGER full BEFORE UPDATE OF folder ON run
             WHEN NEW.folder IS NOT NULL BEGIN SELECT RAISE(ABORT, 'no room'); END",
        )
        .unwrap();
    let before = names(&place.runs());
    assert!(place.history.reveal(second).is_err());
    assert!(place.history.conceal(first).is_err());
    let runs = place.runs();
    let begun = place.history.begin_in(&new_run(None), &runs, KEEP);
    assert!(begun.is_err());
    assert_eq!(names(&runs), before);
    assert_eq!(names(&folder), ["0000.txt", "0001.txt"]);
    assert_eq!(
        (place.folder(first), place.folder(second)),
        (Some(folder), Some(hidden))
    );
}
