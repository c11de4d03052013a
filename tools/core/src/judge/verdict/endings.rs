//! How a program ended, in words.

use crate::judge::reasons as say;
use crate::process::Ending;

/// How a program ended that did not end well.
pub(in crate::judge) fn ending_sentence(ending: Ending) -> String {
    match ending {
        Ending::Exited(101) => say::RUST_PANIC.fill(&[]),
        Ending::Exited(127) => say::NO_SUCH_PROGRAM.fill(&[]),
        // A shell in between (in another judge's line) can report a signal in no other way.
        Ending::Exited(status @ 129..=192) => {
            let signal = status - 128;
            match signal_name(signal) {
                Some(name) => say::STATUS_OF_NAMED_SIGNAL.fill(&[&status, &signal, &name]),
                None => say::STATUS_OF_SIGNAL.fill(&[&status, &signal]),
            }
        }
        Ending::Exited(status) => say::STATUS.fill(&[&status]),
        Ending::Signaled(signal) => match signal_name(signal) {
            Some(name) => say::NAMED_SIGNAL.fill(&[&signal, &name]),
            None => say::SIGNAL.fill(&[&signal]),
        },
    }
}

/// The names that contestants meet.
fn signal_name(signal: i32) -> Option<String> {
    let name = match signal {
        libc::SIGABRT => return Some(say::SIGABRT.fill(&[])),
        libc::SIGFPE => return Some(say::SIGFPE.fill(&[])),
        libc::SIGKILL => return Some(say::SIGKILL.fill(&[])),
        libc::SIGPIPE => return Some(say::SIGPIPE.fill(&[])),
        libc::SIGSEGV => return Some(say::SIGSEGV.fill(&[])),
        libc::SIGALRM => "SIGALRM",
        libc::SIGBUS => "SIGBUS",
        libc::SIGHUP => "SIGHUP",
        libc::SIGILL => "SIGILL",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGSYS => "SIGSYS",
        libc::SIGTERM => "SIGTERM",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGUSR1 => "SIGUSR1",
        libc::SIGUSR2 => "SIGUSR2",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ",
        _ => return None,
    };
    Some(name.to_owned())
}
