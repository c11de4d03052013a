//! Ctrl-C and similar signals: each writes a byte to a pipe that the judge polls whenever it waits.

use std::io::{self, PipeReader};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use tester_core::process::{adopt_orphans, is_ignored, raise_descriptor_limit};
use tester_core::run::cancel::CancelToken;

use super::forced_end::{end_at_second_signal, end_if_held_up};

/// The error that ends us as the signal would have, after the contestant is gone.
#[derive(Debug, thiserror::Error)]
#[error("interrupted by signal {0}")]
pub(crate) struct Interrupted(pub(crate) i32);

/// Signals that are caught.
pub(crate) struct Interrupt {
    pipe: PipeReader,
    signal: Arc<AtomicUsize>,
    to_continue: Arc<Mutex<Option<String>>>,
}

impl Interrupt {
    /// From now on, SIGINT, SIGTERM and SIGHUP are caught and do not end the process. A second one ends it as usual.
    ///
    /// For one case: a thread that listens, as for many, would cost its start too much.
    pub(crate) fn listen() -> Result<Self> {
        Self::listen_with(end_at_second_signal)
    }

    /// The same, with one more thing to do for each signal.
    fn listen_with(also: fn(i32) -> io::Result<()>) -> Result<Self> {
        let (pipe, writer) = std::io::pipe().context("failed to make a pipe for signals")?;
        let signal = Arc::new(AtomicUsize::new(0));
        for number in [SIGINT, SIGTERM, SIGHUP] {
            if is_ignored(number) {
                continue; // `nohup` has it ignored
            }
            let heard = || format!("failed to listen to signal {number}");
            let writer = writer.try_clone().with_context(heard)?;
            signal_hook::flag::register_usize(number, Arc::clone(&signal), number as usize)
                .with_context(heard)?;
            signal_hook::low_level::pipe::register(number, writer).with_context(heard)?;
            also(number).with_context(heard)?;
        }
        Ok(Self {
            pipe,
            signal,
            to_continue: Arc::default(),
        })
    }

    /// Readable as soon as a signal was heard, and from then on.
    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.pipe.as_fd()
    }

    /// What a forced end says of how to continue, from now on.
    pub(crate) fn set_to_continue(&self, hint: Option<String>) {
        *self
            .to_continue
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = hint;
    }

    /// The error to end with, if a signal was heard.
    pub(crate) fn heard(&self) -> Option<Interrupted> {
        match self.signal.load(Ordering::SeqCst) {
            0 => None,
            number => Some(Interrupted(number as i32)),
        }
    }
}

/// Prepares this process for judging many cases, until a signal stops it.
pub(crate) fn prepare_batch() -> Result<(Interrupt, CancelToken)> {
    raise_descriptor_limit();
    adopt_orphans();
    let interrupt = Interrupt::listen_with(|_| Ok(()))?;
    let pipe = interrupt.pipe.try_clone();
    let pipe = pipe.context("failed to copy the pipe for signals")?;
    let (signal, to_continue) = (&interrupt.signal, &interrupt.to_continue);
    end_if_held_up(pipe, Arc::clone(signal), Arc::clone(to_continue));
    let stop = CancelToken::new(Some(interrupt.fd()));
    Ok((
        interrupt,
        stop.context("failed to prepare for being stopped")?,
    ))
}

/// From now on, a file that grows beyond the limit of this process (`ulimit -f`) is an error, as on a full disk, and does
/// not end us. The signal is caught and not ignored, so that every program that we start has its default.
pub(crate) fn outlive_file_size_limit() {
    if !is_ignored(libc::SIGXFSZ) {
        // Without room for this, we end as before.
        let _ = signal_hook::flag::register(libc::SIGXFSZ, Arc::default());
    }
}

/// From now on, we hear how the programs end that we start, also if the process that started us ignores SIGCHLD. While that
/// is ignored, the kernel forgets a child's status: a build line has failed with "No child processes", nothing is known
/// of Git, and bubblewrap, which inherits it, waits without end.
pub(crate) fn hear_of_children() {
    if is_ignored(libc::SIGCHLD) {
        // SAFETY: the default action runs no code of ours.
        unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    }
}
