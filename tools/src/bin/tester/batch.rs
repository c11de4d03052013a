//! `tester batch`: every case of a folder, then a table.

use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::{Result, bail};
use tools::batch::{BatchError, Plan, run as run_plan};
use tools::case::list_cases;
use tools::judge::Fault;
use tools::record::{Record, Verdict};
use tools::report::console;
use tools::score::Summary;

use crate::args::Batch;
use crate::interrupt::Interrupt;
use crate::progress::Progress;

pub(crate) fn run(args: &Batch) -> Result<ExitCode> {
    let plan = Plan {
        cases: list_cases(&args.cases)?,
        command: args.program(),
        limits: args.limits.limits(),
        jobs: args.jobs.unwrap_or_else(physical_cores),
        out: args.out.clone(),
    };
    let interrupt = Interrupt::listen()?;
    let mut progress = Progress::new(plan.cases.len());
    let judged = run_plan(&plan, Some(interrupt.fd()), |record| progress.add(record));
    progress.clear();
    let records = match judged {
        Ok(records) => records,
        Err(BatchError::Fault {
            fault: Fault::Interrupted,
            ..
        }) => {
            eprintln!(
                "tester: interrupted after {} of {} cases",
                progress.done(),
                plan.cases.len()
            );
            match interrupt.heard() {
                Some(interrupted) => return Err(interrupted.into()),
                None => bail!(Fault::Interrupted),
            }
        }
        Err(error) => return Err(error.into()),
    };
    let summary = Summary::new(&records);
    print!("{}", console::table(&summary));
    let rerun = |record: &Record| {
        let case = record
            .case
            .map(|id| id.file_name("txt"))
            .unwrap_or_default();
        format!(
            "tools/tester {} < {}",
            plan.command,
            args.cases.join(case).display()
        )
    };
    print!("{}", console::failures(&records, rerun));
    let all_accepted = records.iter().all(|r| r.verdict == Verdict::Ac);
    Ok(ExitCode::from(u8::from(!all_accepted)))
}

/// Two programs on one physical core disturb each other's times.
fn physical_cores() -> NonZeroUsize {
    let usable = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    NonZeroUsize::new(num_cpus::get_physical().min(usable)).unwrap_or(NonZeroUsize::MIN)
}
