//! Progress on standard error, for work that takes longer than a second.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lab::policy::{Node, Policy};
use lab::solver::pegs::CodeId;

/// A bar that is hidden during its first second.
pub(crate) struct Late {
    bar: ProgressBar,
    started: Instant,
    shown: AtomicBool,
}

impl Late {
    /// Over this many codes or games.
    pub(crate) fn new(count: usize) -> Self {
        let bar = ProgressBar::new(count as u64);
        Self::with_template(bar, "{bar:30} {pos}/{len}, {eta} left")
    }

    fn with_template(bar: ProgressBar, template: &str) -> Self {
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.expect("the template is a constant"));
        bar.set_draw_target(ProgressDrawTarget::hidden());
        Self {
            bar,
            started: Instant::now(),
            shown: AtomicBool::new(false),
        }
    }

    /// One more is done.
    pub(crate) fn inc(&self) {
        self.bar.inc(1);
        let shown = self.shown.load(Ordering::Relaxed);
        if !shown && self.started.elapsed() > Duration::from_secs(1) {
            self.shown.store(true, Ordering::Relaxed);
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

impl Drop for Late {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A line that says what takes so long, for work whose end is not known. It is hidden during its first second.
pub(crate) struct Busy {
    bar: ProgressBar,
    /// Dropped at the end, for which the thread waits.
    ended: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Busy {
    /// `what` is done meanwhile.
    pub(crate) fn new(what: String) -> Self {
        let bar = ProgressBar::no_length().with_message(what);
        let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
        bar.set_style(style.expect("the template is a constant"));
        bar.set_draw_target(ProgressDrawTarget::hidden());
        let (ended, ends) = channel::<()>();
        let shown = bar.clone();
        let thread = std::thread::spawn(move || {
            if ends.recv_timeout(Duration::from_secs(1)) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(100));
            }
        });
        Self {
            bar,
            ended: Some(ended),
            thread: Some(thread),
        }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        drop(self.ended.take());
        let _ = self.thread.take().map(JoinHandle::join);
        self.bar.finish_and_clear();
    }
}

/// A policy whose guesses are counted while a tree is walked.
pub(crate) struct Counted<'a> {
    policy: &'a dyn Policy,
    late: Late,
}

impl<'a> Counted<'a> {
    pub(crate) fn new(policy: &'a dyn Policy) -> Self {
        let template = "{spinner} {pos} nodes of the tree, {elapsed}";
        Self {
            policy,
            late: Late::with_template(ProgressBar::no_length(), template),
        }
    }
}

impl Policy for Counted<'_> {
    fn choose(&self, node: &mut Node<'_>) -> CodeId {
        self.late.inc();
        self.policy.choose(node)
    }
}
