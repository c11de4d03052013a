//! A sign of life on standard error, for what takes longer than a second.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::policy::{Node, Policy};
use lab::solver::CodeId;

/// A bar over so many secrets, hidden during the first second.
pub(crate) fn bar(secrets: usize) -> ProgressBar {
    late(
        ProgressBar::new(secrets as u64),
        "{bar:30} {pos}/{len} secrets, {eta} left",
    )
}

/// A policy whose guesses are counted while a tree is walked.
pub(crate) struct Counted<'a> {
    policy: &'a dyn Policy,
    bar: ProgressBar,
}

impl<'a> Counted<'a> {
    pub(crate) fn new(policy: &'a dyn Policy) -> Self {
        Self {
            policy,
            bar: late(
                ProgressBar::no_length(),
                "{spinner} {pos} nodes of the tree, {elapsed}",
            ),
        }
    }
}

impl Policy for Counted<'_> {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        self.bar.inc(1);
        self.policy.choose(node)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn late(bar: ProgressBar, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    bar.set_style(style.expect("the template is a constant"));
    bar.set_draw_target(ProgressDrawTarget::hidden());
    let shown = bar.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(1));
        if !shown.is_finished() {
            shown.set_draw_target(ProgressDrawTarget::stderr());
        }
    });
    bar
}
