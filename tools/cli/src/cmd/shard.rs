//! `tester batch --shard I/N`: judges a part of a batch and writes a text file for `tester merge`.

use std::io::{self, BufReader, BufWriter, Write};
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use tester_core::judge::record::{JudgedCase, Verdict};
use tester_core::judge::verdict::Limits;
use tester_core::run::batch::run as judge_all;
use tester_core::run::calibrate::{calibration_ms, scaled};
use tester_core::run::executor::Executor;
use tester_core::run::outputs::copy_outputs;
use tester_core::run::provenance::Host;
use tester_core::shard::{Header, Manifest, Part, Writer, read_one};
use tester_core::util::atomic_file::{self, AtomicFile};
use tester_core::util::bounded_read;
use tester_core::util::count::case_count;
use tester_core::util::temporary::{TemporaryFolder, remove_temporary};
use tester_core::util::wall_clock::now_ms;

use crate::args::{Batch, Format};
use crate::cmd::again;
use crate::cmd::new_run::{executor, in_order, new_run, prepare};
use crate::terminal::hide_argv;
use crate::terminal::interrupt::prepare_batch;
use crate::terminal::progress::Progress;

pub(crate) fn run(args: &Batch, part: Part) -> Result<ExitCode> {
    if args.sharding.to.is_none() && args.format() != Some(Format::Json) {
        bail!("--shard cannot be used without --to FILE or --json");
    }
    prepare(args)?;
    let (executor, checked) = executor(args, again::source(args)?)?;
    let executor = executor.with_fixed_parameters();
    executor.prepare()?;
    let (executor, new) = new_run(args, executor, checked)?;
    let about = Manifest::from_run(&new)?;
    match (&args.sharding.to, args.format()) {
        (Some(path), _) if is_there(path, part, &about)? => {
            say!(
                "{} already holds shard {part}; nothing was judged",
                path.display()
            );
            Ok(ExitCode::SUCCESS)
        }
        (Some(path), _) => {
            remove_temporary(atomic_file::folder_of(path));
            let sink = (AtomicFile::create(path)?, path.display().to_string());
            let (file, status) = judge(executor, about, part, sink)?;
            file.map_or(Ok(()), AtomicFile::finish_on_disk)?;
            Ok(status)
        }
        // To standard output.
        (None, _) => {
            let sink = (BufWriter::new(io::stdout()), "standard output".to_owned());
            let (_, status) = judge(executor, about, part, sink)?;
            Ok(status)
        }
    }
}

/// Whether the file already holds the complete shard of the same run.
fn is_there(path: &Path, part: Part, about: &Manifest) -> Result<bool> {
    // Reading a pipe could block, and a device may have no end.
    if path.exists() && !path.is_file() {
        bail!(
            "failed to write shard {part} to {}: it exists, and is not a regular file",
            path.display()
        );
    }
    let file = match bounded_read::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => {
            return Err(error).with_context(|| format!("failed to read {}", path.display()));
        }
    };
    let refused = || {
        let path = path.display();
        format!("shard {part} was not judged, because {path} holds something else")
    };
    let found =
        read_one(BufReader::new(file), &path.display().to_string()).with_context(refused)?;
    if found.part != part {
        bail!("{}: expected shard {part}, found {}", refused(), found.part);
    }
    if found.about.key() != about.key() {
        let differences = about.differences(&found.about).join("; ");
        bail!(
            "{}: expected the same run, found another ({differences})",
            refused()
        );
    }
    Ok(true)
}

/// Judges the cases of a part, and writes them to `sink`, which has this name. Returns `sink` if the machine could judge all of them.
fn judge<W: Write>(
    executor: Executor,
    about: Manifest,
    part: Part,
    (sink, name): (W, String),
) -> Result<(Option<W>, ExitCode)> {
    hide_argv::hide();
    let calibration_ms = calibration_ms();
    let limits = about.spec.limits;
    let time = match about.spec.scale_time_limit_ms {
        Some(meant_ms) => scaled(limits.time, calibration_ms, meant_ms),
        None => limits.time,
    };
    let header = Header {
        part,
        about,
        host: Host::here(calibration_ms, time),
        begun_ms: now_ms(),
    };
    let executor = executor.with_limits(Limits { time, ..limits });
    let begun = Instant::now();
    let writing = format!("failed to write shard {part} to {name}");
    let writer = Writer::new(sink, &header).with_context(|| writing.clone())?;
    let mut shard = Shard::new(writer, (part, writing), header.about.planned());
    let concealed = concealed_folder(&executor)?;
    let executor = match &concealed {
        Some(folder) => executor.with_folder(folder.path().to_owned()),
        None => executor,
    };
    shard.judge(&executor)?;
    if let Some(folder) = concealed {
        copy_outputs(folder.path(), &executor.spec().out)?;
    }
    shard.finish(begun.elapsed())
}

/// A folder for outputs until the shard is judged, if contestants must not find them. It is removed with the value.
fn concealed_folder(executor: &Executor) -> Result<Option<TemporaryFolder>> {
    if !executor.must_conceal() {
        return Ok(None);
    }
    let folder = TemporaryFolder::new(&executor.spec().out);
    folder
        .map(Some)
        .context("failed to make a folder for outputs")
}

/// A shard that is being written.
struct Shard<W: Write> {
    part: Part,
    /// That it could not be written.
    writing: String,
    writer: Writer<W>,
    progress: Progress,
    /// The positions of its cases in the order of all cases.
    block: Range<usize>,
    accepted: usize,
    /// Cases that the machine could not judge (the program is not at fault), and the reason of the first.
    not_judged: usize,
    why: String,
}

impl<W: Write> Shard<W> {
    fn new(writer: Writer<W>, (part, writing): (Part, String), planned: usize) -> Self {
        let block = part.block(planned);
        Self {
            part,
            writing,
            writer,
            progress: Progress::new(block.len()),
            block,
            accepted: 0,
            not_judged: 0,
            why: String::new(),
        }
    }

    fn judge(&mut self, executor: &Executor) -> Result<()> {
        let (interrupt, stop) = prepare_batch()?;
        let cases = executor.spec().source.tickets()?;
        let cases = cases.skip(self.block.start).take(self.block.len());
        let cases = in_order(Box::new(cases), executor.must_conceal());
        let mut failed = None;
        let judged = judge_all(
            executor,
            cases,
            &stop,
            |_| false,
            |judged: &[JudgedCase]| {
                failed = judged.iter().try_for_each(|case| self.add(case)).err();
                failed = failed.take().or_else(|| self.writer.flush().err());
                match failed.is_some() || self.not_judged > 0 {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            },
        );
        self.progress.clear();
        let written = failed.map_or(Ok(()), Err);
        written.with_context(|| self.writing.clone())?;
        judged?;
        interrupt
            .heard()
            .map_or(Ok(()), |signal| Err(signal.into()))
    }

    fn add(&mut self, judged: &JudgedCase) -> io::Result<()> {
        self.progress.add(judged, None);
        self.accepted += usize::from(judged.accepted());
        if judged.record.verdict == Verdict::Ie {
            if self.not_judged == 0 {
                self.why = format!("case {}: {}", judged.case.id, judged.record.headline());
            }
            self.not_judged += 1;
            return Ok(());
        }
        self.writer.add(judged)
    }

    fn finish(self, took: Duration) -> Result<(Option<W>, ExitCode)> {
        if self.not_judged > 0 {
            say!(
                "shard {}: the machine could not judge {}; no shard was written",
                self.part,
                self.why
            );
            return Ok((None, ExitCode::from(crate::exit::OUR_FAULT)));
        }
        let Self {
            part,
            block,
            accepted,
            ..
        } = self;
        let cases = block.len();
        say!(
            "shard {part}: {}, {accepted} of them AC, in {:.1} s",
            case_count(cases),
            took.as_secs_f64()
        );
        let sink = self.writer.finish(took).context(self.writing)?;
        Ok((Some(sink), ExitCode::from(u8::from(accepted < cases))))
    }
}
