//! The end that no case can hold up. A signal ends a run in good order, but the code of a problem of your own hears of none:
//! in an endless loop there, only SIGKILL would end us.
//!
//! So where many cases are judged, a thread listens as well. At a second signal, or if a case goes on for some seconds after
//! the first, it kills what we have started and ends us. The history is whole at any moment, as after SIGKILL.

use std::io::{self, IsTerminal, PipeReader, stderr};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, ioctl_fionread};
use rustix::time::{ClockId, clock_gettime};
use signal_hook::low_level::emulate_default_handler;
use tester_core::case::CaseInProgress;
use tester_core::process::{BlockedSignals, kill_all_below};
use tester_core::util::quote::printable;
use tester_core::util::tester_word::tester_name;

use super::output_queue::Output;

/// A case that hears of the signal ends within a fraction of it. `docker stop` kills after 10 s.
const PATIENCE: Duration = Duration::from_secs(5);

/// Signals within this time are one: `timeout` sends two, and a shell that is closed may do so.
const TOGETHER: Duration = Duration::from_millis(500);

/// How often we look after the first signal.
const INTERVAL: Duration = Duration::from_millis(50);

/// From now on, a signal that came through the pipe, a byte for each, ends us in the end. The last line then says how
/// to continue, if that is possible.
pub(super) fn end_if_held_up(
    pipe: PipeReader,
    signal: Arc<AtomicUsize>,
    to_continue: Arc<Mutex<Option<String>>>,
) {
    // The thread inherits it. Signals are for the others: a build line waits for them in its own thread.
    let blocked = BlockedSignals::new();
    let thread = thread::Builder::new().name("signals".to_owned());
    // Where the machine has no room for a thread, a signal still ends whatever hears of it.
    let _ = thread.spawn(move || {
        let cause = wait(&pipe);
        let hint = to_continue.lock().unwrap_or_else(PoisonError::into_inner);
        end(cause, signal.load(Ordering::SeqCst) as i32, hint.as_deref());
    });
    drop(blocked);
}

/// From now on, the second of these signals ends this process as usual.
pub(super) fn end_at_second_signal(number: i32) -> io::Result<()> {
    static FIRST_NS: AtomicU64 = AtomicU64::new(0);
    let heard = move || {
        let now = clock_gettime(ClockId::Monotonic);
        let now_ns = now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64;
        let first = FIRST_NS.compare_exchange(0, now_ns, Ordering::SeqCst, Ordering::SeqCst);
        if first.is_err_and(|first| u128::from(now_ns.saturating_sub(first)) >= TOGETHER.as_nanos())
        {
            let _ = emulate_default_handler(number);
        }
    };
    // SAFETY: a clock, a number and the default action, all of which a signal handler may use; it does not panic.
    unsafe { signal_hook::low_level::register(number, heard) }.map(drop)
}

/// Why this process cannot wait any more.
#[derive(Clone, Copy)]
enum Cause {
    SecondSignal,
    Late,
}

/// Waits for the first signal, and then until the process cannot be waited for any more.
fn wait(pipe: &PipeReader) -> Cause {
    let mut fds = [PollFd::new(pipe, PollFlags::IN)];
    while let Err(Errno::INTR) = poll(&mut fds, None) {}
    let first = Instant::now();
    thread::sleep(TOGETHER);
    let signals = || ioctl_fionread(pipe).unwrap_or(0);
    let before = signals();
    loop {
        if signals() > before {
            return Cause::SecondSignal;
        }
        // What is written after the last case, a table for a pager, may take its time.
        if first.elapsed() >= PATIENCE && !CaseInProgress::of_all_threads().is_empty() {
            return Cause::Late;
        }
        thread::sleep(INTERVAL);
    }
}

/// Ends this process as the signal would have, and says why, and how to continue.
fn end(cause: Cause, signal: i32, to_continue: Option<&str>) {
    let cases = CaseInProgress::of_all_threads();
    kill_all_below();
    let names = cases.iter().map(CaseInProgress::to_string);
    let names = names.collect::<Vec<_>>().join(", ");
    let (name, seconds) = (tester_name(), PATIENCE.as_secs());
    let mut text = match cause {
        Cause::Late => format!("{name}: {names} went on for {seconds} s after the signal"),
        Cause::SecondSignal if cases.is_empty() => format!("{name}: ended by the second signal"),
        Cause::SecondSignal => format!("{name}: ended by the second signal, in {names}"),
    };
    text += "\n";
    if !cases.is_empty() {
        text += "hint: is there an endless loop in the code of the problem?\n";
    }
    if let Some(hint) = to_continue {
        text += &format!("hint: {hint}\n");
    }
    let mut text = printable(&text).into_owned();
    if stderr().is_terminal() {
        text.insert_str(0, "\r\x1b[2K"); // the progress line
    }
    // Its reader may not read, and a program may have stopped the terminal: we do not wait for it.
    if let Ok(output) = stderr().as_fd().try_clone_to_owned() {
        let _ = Output::new(output).write_some(text.as_bytes());
    }
    let _ = emulate_default_handler(signal);
}
