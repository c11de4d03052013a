//! What a program used that another process starts: the exact figures of the kernel, from the process that waits for it.
//!
//! A contest's own tester starts the contestant, so the judge is not its parent: it would have to guess from samples
//! what is the tester's and what is the contestant's. So the command that the tester gets begins with a
//! [stage](super::stage) that starts the contestant, waits for it, and sends what the kernel says of it to a
//! [`Meter`]. To the tester it looks as the contestant does: same pipes, same exit status or signal.
//!
//! The way back is a socket with a name, since testers close descriptors that they do not know, and a folder may be
//! read-only. The kernel says who sent a message. A stage sends one before its program exists, and the figures count
//! only if they come from that process, so the program cannot send figures of its own.

use std::cell::Cell;
use std::ffi::OsString;
use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

use rustix::net::sockopt::set_socket_passcred;

use super::heard::{Heard, Metered, Running};
use super::meter_message::{Message, receive};
use super::program_pipes::{ProgramPipe, ProgramPipes};
use super::stage::MeterStage;
use super::stage::message::{ASKED, STARTED};

/// How many messages are heard at one look while the judge has other things to do.
const AT_ONCE: usize = 16;

/// How many are heard at any other look: more than can wait in a socket, unless the administrator allows it. A process
/// that knows the name can send faster than we hear.
const AT_MOST: usize = 4096;

/// Hears the stages of one case.
#[derive(Debug)]
pub struct Meter {
    socket: UnixDatagram,
    name: String,
    stage: MeterStage,
    heard: Cell<Heard>,
    stderrs: ProgramPipes,
}

impl Meter {
    /// A meter for one case, which this stage tells.
    ///
    /// Cost: five system calls.
    ///
    /// # Errors
    /// If the machine has no sockets with names, or no descriptor left.
    pub(crate) fn new(stage: &MeterStage) -> io::Result<Self> {
        let mut random = [0_u8; 16];
        // SAFETY: the kernel writes to an array of that length.
        let filled = unsafe { libc::getrandom(random.as_mut_ptr().cast(), random.len(), 0) };
        if filled != random.len() as isize {
            return Err(io::Error::last_os_error());
        }
        let name = format!("tester-{:032x}", u128::from_ne_bytes(random));
        let socket = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name)?)?;
        socket.set_nonblocking(true)?;
        set_socket_passcred(&socket, true)?;
        Ok(Self {
            socket,
            name,
            stage: stage.clone(),
            heard: Cell::default(),
            stderrs: ProgramPipes::default(),
        })
    }

    /// The words in front of a contestant's command that put its stage before it.
    pub(crate) fn stage_words(&self) -> Vec<OsString> {
        self.stage.words(&self.name)
    }

    /// What was heard until now.
    pub(crate) fn heard(&self) -> Heard {
        self.hear(false);
        self.heard.get()
    }

    /// As [`Heard::read`], now.
    pub(crate) fn read(&self) -> Option<Metered> {
        self.heard().read()
    }

    /// As [`Heard::failed`], now.
    pub(crate) fn failed(&self) -> Option<Metered> {
        self.heard().failed()
    }

    /// Hears what has come; with `stops` only as far as the next message that a stage waits for, and not much more than a
    /// stage sends.
    fn hear(&self, stops: bool) {
        self.hear_of(std::iter::from_fn(|| receive(&self.socket)), stops);
    }

    fn hear_of(&self, messages: impl Iterator<Item = Message>, stops: bool) {
        let mut heard = self.heard.get();
        let most = if stops { AT_ONCE } else { AT_MOST };
        for (sender, message, descriptor) in messages.take(most) {
            if start_time(&message).is_some() {
                self.stderrs.keep(descriptor);
            }
            match heard.running {
                None => {
                    if let Some(since_ns) = start_time(&message) {
                        heard.running = Some(Running {
                            stage: sender,
                            since_ns,
                        });
                        heard.has_started = true;
                    }
                }
                Some(of) if of.stage == sender && message == ASKED && stops => break,
                Some(of) if of.stage == sender && message == ASKED => {}
                Some(of) if of.stage == sender => {
                    heard.running = None;
                    match Metered::parse(&message) {
                        None => heard.is_damaged = true,
                        Some(one) => {
                            heard.ended = Some(heard.ended.map_or(one, |ended| ended.with(one)));
                        }
                    }
                }
                // A message of the program itself.
                _ => {}
            }
        }
        self.heard.set(heard);
    }

    /// The pipes of programs that have a stderr of their own, as far as was heard. They do not block.
    pub(crate) fn take_stderrs(&self) -> Vec<ProgramPipe> {
        self.stderrs.take()
    }

    /// Why the stderr of a program went nowhere, if one did: this process or the machine had no room for it.
    pub(crate) fn stderr_failure(&self) -> Option<io::Error> {
        self.stderrs.failure()
    }

    /// Whether a program was started of which this meter has heard.
    pub(crate) fn has_started(&self) -> bool {
        self.heard().has_started
    }

    /// As [`Heard::is_undecided`], now.
    pub(crate) fn is_undecided(&self) -> bool {
        self.heard().is_undecided()
    }

    /// The same while the judge still listens. A stage whose program has failed may ask first whether that is so, and tell it only
    /// after two looks: what was printed before has been heard then.
    pub(crate) fn is_still_running(&self) -> bool {
        self.hear(true);
        self.last_heard().is_undecided()
    }

    /// What was heard until the last look at this meter.
    pub(crate) fn last_heard(&self) -> Heard {
        self.heard.get()
    }
}

/// When a stage starts its program, if its message says that it does.
fn start_time(message: &[u8]) -> Option<u64> {
    let time = message.strip_prefix(STARTED)?;
    Some(u64::from_ne_bytes(time.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rustix::process::Pid;

    use super::*;
    use crate::process::Ending;
    use crate::process::heard::now_ns;
    use crate::process::stage::message::{ENDED_BY_TESTER, Figures, START_ERROR};

    impl Meter {
        /// Whether a program was started of which no end was heard.
        fn is_running(&self) -> bool {
            self.heard().running.is_some()
        }
    }

    fn metered(ending: Ending, wall_ms: u64, memory_kib: u64) -> Metered {
        Metered {
            ending,
            is_ended_by_tester: false,
            wall: Duration::from_millis(wall_ms),
            cpu: Duration::from_millis(wall_ms / 2),
            memory_kib,
            others: Duration::ZERO,
            start_error: 0,
        }
    }

    /// The same with the times of other programs.
    fn beside(others_ms: u64, metered: Metered) -> Metered {
        Metered {
            others: Duration::from_millis(others_ms),
            ..metered
        }
    }

    fn meter() -> Meter {
        Meter::new(&MeterStage::from_file("/stage".into())).unwrap()
    }

    /// As a stage sends it that starts its program now.
    fn started() -> Vec<u8> {
        [STARTED, &now_ns().to_ne_bytes()].concat()
    }

    /// As a stage sends it.
    fn message(metered: Metered) -> Vec<u8> {
        let status = match metered.ending {
            Ending::Exited(code) => code << 8,
            Ending::Signaled(signal) => signal,
        };
        let by_tester = u64::from(metered.is_ended_by_tester) * ENDED_BY_TESTER;
        let [wall, cpu] = [metered.wall, metered.cpu].map(|time| time.as_micros() as u64);
        let start_error = (metered.start_error as u64) << START_ERROR;
        let figures: Figures = [
            status as u64 | by_tester | start_error,
            wall,
            cpu,
            metered.memory_kib,
        ];
        figures.into_iter().flat_map(u64::to_ne_bytes).collect()
    }

    fn send(meter: &Meter, message: &[u8]) {
        let socket = UnixDatagram::unbound().unwrap();
        let address = SocketAddr::from_abstract_name(&meter.name).unwrap();
        socket.send_to_addr(message, &address).unwrap();
    }

    #[test]
    fn of_programs_that_ended_the_most_counts_and_while_one_runs_nothing_is_known() {
        let meter = meter();
        assert_eq!(meter.read(), None);
        assert!(!meter.has_started() && !meter.is_running());
        let (first, second) = (
            metered(Ending::Exited(0), 10, 300),
            metered(Ending::Signaled(11), 20, 200),
        );
        for sent in [
            &started()[..],
            &message(first),
            &started(),
            &message(second),
        ] {
            send(&meter, sent);
        }
        let both = beside(10, metered(Ending::Signaled(11), 20, 300));
        assert_eq!(meter.read(), Some(both));
        for sent in [&started()[..], ASKED] {
            send(&meter, sent);
            assert_eq!(meter.read(), None);
            assert_eq!(meter.heard().ended(), Some(both));
            assert!(meter.has_started() && meter.is_running());
        }
        send(&meter, &message(first));
        assert!(!meter.is_running());
        let all = beside(20, metered(Ending::Signaled(11), 20, 300));
        assert_eq!(meter.read(), Some(all));
    }

    #[test]
    fn a_program_runs_since_its_stage_started_it_and_those_before_it_do_not_count() {
        let meter = meter();
        assert_eq!(meter.heard().running_for(), None);
        send(&meter, STARTED); // without a time it is no message of a stage
        assert_eq!(meter.heard().running_for(), None);
        let before = Duration::from_secs(50);
        let earlier = now_ns() - before.as_nanos() as u64;
        let first = metered(Ending::Exited(0), 3000, 300);
        send(&meter, &[STARTED, &earlier.to_ne_bytes()].concat());
        let runs_for = |expected: Duration| {
            let found = meter.heard().running_for().unwrap();
            assert!(
                found >= expected && found < expected + Duration::from_secs(20),
                "{found:?}"
            );
        };
        runs_for(before);
        send(&meter, &message(first));
        assert_eq!(meter.heard().running_for(), None);
        send(&meter, &[STARTED, &earlier.to_ne_bytes()].concat());
        runs_for(before);
        // Another process cannot say that it began later.
        send(&meter, &[STARTED, &u64::MAX.to_ne_bytes()].concat());
        assert_eq!(meter.read(), None);
    }

    #[test]
    fn of_two_programs_the_first_that_failed_says_whether_its_tester_ended_it() {
        let ended = |is_ended_by_tester| Metered {
            is_ended_by_tester,
            ..metered(Ending::Signaled(15), 10, 300)
        };
        let well = metered(Ending::Exited(0), 10, 300);
        for (sent, expected) in [
            ([well, ended(true)], true),
            ([ended(true), ended(false)], true),
            ([ended(false), ended(true)], false),
        ] {
            let meter = meter();
            for one in sent {
                send(&meter, &started());
                send(&meter, &message(one));
            }
            let read = meter.read().unwrap();
            assert_eq!(read.ending, Ending::Signaled(15));
            assert_eq!(read.is_ended_by_tester, expected);
        }
    }

    #[test]
    fn only_the_first_program_says_that_the_machine_did_not_start_it() {
        let well = metered(Ending::Exited(0), 10, 300);
        let refused = |start_error| Metered {
            start_error,
            ..metered(Ending::Exited(126), 0, 0)
        };
        for (sent, expected) in [
            ([refused(libc::EAGAIN), well], Some(libc::EAGAIN)),
            (
                [refused(libc::ETXTBSY), refused(libc::EACCES)],
                Some(libc::ETXTBSY),
            ),
            ([refused(libc::EACCES), well], None),
            // The first one may have used up what the machine has.
            ([well, refused(libc::EAGAIN)], None),
            ([well, well], None),
        ] {
            let meter = meter();
            for one in sent {
                send(&meter, &started());
                send(&meter, &message(one));
            }
            let failure = meter.read().unwrap().start_failure();
            assert_eq!(failure.and_then(|error| error.raw_os_error()), expected);
        }
    }

    #[test]
    fn an_end_that_follows_a_question_is_heard_at_the_next_look() {
        let meter = meter();
        let end = metered(Ending::Exited(1), 10, 300);
        for sent in [&started()[..], ASKED, ASKED, &message(end)] {
            send(&meter, sent);
        }
        assert!(meter.is_still_running() && meter.is_still_running());
        assert!(!meter.is_still_running());
        assert_eq!(meter.read(), Some(end));
        for sent in [&started()[..], ASKED, &message(end)] {
            send(&meter, sent);
        }
        assert!(!meter.is_running());
    }

    #[test]
    fn a_flood_of_messages_does_not_hold_up_the_judge() {
        let meter = meter();
        send(&meter, &started());
        assert!(meter.is_running());
        let flood = std::iter::repeat_with(|| (Pid::INIT, b"x".to_vec(), Ok(None)));
        for stops in [false, true] {
            meter.hear_of(flood, stops);
        }
        let end = metered(Ending::Exited(0), 10, 300);
        send(&meter, &message(end));
        assert_eq!(meter.read(), Some(end));
    }

    #[test]
    fn figures_count_only_from_the_process_that_said_it_starts() {
        let meter = meter();
        let forged = message(metered(Ending::Exited(0), 10, 300));
        send(&meter, &forged);
        assert_eq!(meter.read(), None);
        send(&meter, &started());
        let (name, sent) = (meter.name.clone(), forged.clone());
        let mut other = std::process::Command::new("true");
        let send_from_there = move || {
            let socket = UnixDatagram::unbound()?;
            let address = SocketAddr::from_abstract_name(&name)?;
            socket.send_to_addr(&started(), &address)?;
            socket.send_to_addr(&sent, &address)?;
            Ok(())
        };
        // SAFETY: it makes system calls on values that exist already.
        let other =
            unsafe { std::os::unix::process::CommandExt::pre_exec(&mut other, send_from_there) };
        assert!(other.status().unwrap().success());
        let own = metered(Ending::Exited(3), 70, 900);
        send(&meter, &message(own));
        assert_eq!(meter.read(), Some(own));
        for message in [&started()[..], b"exited 0 1 x 3"] {
            send(&meter, message);
        }
        assert_eq!(meter.read(), None);
    }
}
