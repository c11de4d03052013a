//! `tester batch`: every case of a folder, then a table.

use std::io::Write;
use std::num::NonZeroUsize;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use tools::batch::{BatchError, Plan, run as run_plan};
use tools::case::list_cases;
use tools::contestant::shell_word;
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
    raise_descriptor_limit();
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
            note!(
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
    let tester = std::env::args_os()
        .next()
        .unwrap_or_else(|| "tester".into());
    let rerun = |record: &Record| {
        let name = record
            .case
            .map(|id| id.file_name("txt"))
            .unwrap_or_default();
        // A program that is called like a subcommand is none behind two dashes.
        format!(
            "{} {}-- {} < {}",
            shell_word(&tester),
            args.limits.typed(),
            plan.command,
            shell_word(args.cases.join(name).as_os_str())
        )
    };
    let mut text = console::table(&Summary::new(&records));
    let failures = console::failures(&records, rerun);
    if !failures.is_empty() {
        let out = plan.out.display();
        text.push_str(&format!(
            "{failures}what each wrote is in {out}/NNNN.txt and {out}/NNNN.err\n"
        ));
    }
    std::io::stdout()
        .write_all(text.as_bytes())
        .context("failed to write the table")?;
    let all_accepted = records.iter().all(|r| r.verdict == Verdict::Ac);
    Ok(ExitCode::from(u8::from(!all_accepted)))
}

/// Two programs on one physical core disturb each other's times.
fn physical_cores() -> NonZeroUsize {
    let usable = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    NonZeroUsize::new(num_cpus::get_physical().min(usable)).unwrap_or(NonZeroUsize::MIN)
}

/// A job needs about eight descriptors, and the usual soft limit is far below the hard one.
fn raise_descriptor_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: maximum,
        maximum,
    };
    // If that is refused, the usual limit may still do.
    let _ = setrlimit(Resource::Nofile, raised);
}
