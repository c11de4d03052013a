//! A sign of life on standard error, for what takes longer than a second.

use std::cell::Cell;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::policy::{Node, Policy};
use lab::solver::pegs::CodeId;

/// A bar that is hidden during its first second.
pub(crate) struct Late {
    bar: ProgressBar,
    started: Instant,
    shown: Cell<bool>,
}

impl Late {
    /// Over so many secrets.
    pub(crate) fn over(secrets: usize) -> Self {
        let bar = ProgressBar::new(secrets as u64);
        Self::new(bar, "{bar:30} {pos}/{len} codes, {eta} left")
    }

    fn new(bar: ProgressBar, template: &str) -> Self {
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.expect("the template is a constant"));
        bar.set_draw_target(ProgressDrawTarget::hidden());
        Self {
            bar,
            started: Instant::now(),
            shown: Cell::new(false),
        }
    }

    /// One more is done.
    pub(crate) fn inc(&self) {
        self.bar.inc(1);
        if !self.shown.get() && self.started.elapsed() > Duration::from_secs(1) {
            self.shown.set(true);
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Late {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A policy whose guesses are counted while a tree is walked.
pub(crate) struct Counted<'a> {
    policy: &'a dyn Policy,
    late: Mutex<Late>,
}

impl<'a> Counted<'a> {
    pub(crate) fn new(policy: &'a dyn Policy) -> Self {
        let template = "{spinner} {pos} nodes of the tree, {elapsed}";
        Self {
            policy,
            late: Mutex::new(Late::new(ProgressBar::no_length(), template)),
        }
    }
}

impl Policy for Counted<'_> {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        if let Ok(late) = self.late.lock() {
            late.inc();
        }
        self.policy.choose(node)
    }
}
