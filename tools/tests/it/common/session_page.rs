//! The page of a session, made in this process. Tests of contests include this file, too.

use serde_json::Value;
use tester::judge::record::Verdict;
use tester::judge::replay::replay_stdout;
use tester::judge::session::SessionView;
use tester::problem::Instance;
use tester::report::page::session::{self, SessionPage};

/// The page of what a contestant printed.
pub fn page(instance: &dyn Instance, stdout: &str) -> String {
    let (entries, facts) = replay_stdout(instance, 1000, u64::MAX, stdout.as_bytes());
    let shown = SessionPage {
        name: "0000.txt",
        instance: Some(instance),
        turns: &SessionView::new(Some(instance), &entries),
        verdict: Verdict::Ac,
        score: facts.score,
        reason: None,
    };
    let mut html = Vec::new();
    session::write(&shown, &mut html).unwrap();
    String::from_utf8(html).unwrap()
}

/// What the scripts of a page read.
pub fn data(page: &str) -> Value {
    let (_, after) = page.split_once("id=\"session\">").unwrap();
    serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap()
}
