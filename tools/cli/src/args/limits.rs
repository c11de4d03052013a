//! Limits of a program for a case.

use clap::Args;
use tester_core::judge::verdict::Limits;
use tester_core::problem::Problem;
use tester_core::process::Containment;
use tester_core::run::config::{self, Mebibytes, Seconds};

use super::config::Overlay;
use super::values::whole;

/// More processes than this have no numbers on some machines.
const MOST_PROCESSES: u64 = 1_000_000;

/// What may be typed about limits; [`LimitArgs::limits`] says what it means.
#[derive(Args, Default)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// Wall-clock time and processor time for a case, at most 86400 [default: 2, or what the problem sets]
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    time_limit: Option<Seconds>,
    /// Resident memory, in MiB [default: 1024]
    #[arg(long, value_name = "MIB", allow_negative_numbers = true)]
    memory_limit: Option<Mebibytes>,
    /// Turns that are answered; one more is WA [default: 1000, or what the problem sets]
    #[arg(long, value_name = "TURNS", allow_negative_numbers = true, value_parser = whole::<u64>(1..=u64::MAX))]
    turn_limit: Option<u64>,
    /// Processes alive at once, the program's own included [default: 128]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1..=MOST_PROCESSES))]
    process_limit: Option<u64>,
    /// Keep the program from files, network and other processes, as far as this machine can
    #[arg(long)]
    pub(crate) sandbox: bool,
    /// Do not put the program into a namespace of its own, for instance to attach a debugger by its number
    #[arg(long)]
    no_containment: bool,
}

impl LimitArgs {
    /// Takes what was not typed from the file.
    pub(super) fn overlay(&mut self, file: &config::Batch, overlay: &mut Overlay) {
        overlay.fill("time-limit", &mut self.time_limit, file.time_limit);
        overlay.fill("memory-limit", &mut self.memory_limit, file.memory_limit);
    }

    /// What keeps the program's processes together, as far as this machine can.
    pub(crate) fn containment(&self) -> Containment {
        match self.no_containment {
            true => Containment::Tree,
            false => Containment::Namespace,
        }
    }

    /// The limits that were typed; the others are those of the problem.
    pub(crate) fn limits(&self, problem: Option<&dyn Problem>) -> Limits {
        let usual = Limits::from_problem(problem);
        Limits {
            time: self.time_limit.map_or(usual.time, |Seconds(time)| time),
            memory_kib: self
                .memory_limit
                .map_or(usual.memory_kib, |Mebibytes(mib)| mib << 10),
            turns: self.turn_limit.unwrap_or(usual.turns),
            processes: self.process_limit.unwrap_or(usual.processes),
            ..usual
        }
    }
}
