//! Judges the submissions of a package with its validator as the interactor.

use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::time::Duration;

use super::build::Program;
use super::cases::PackageCase;
use super::description::Description;
use crate::judge::JudgeError;
use crate::judge::external::{Contract, ExternalError, ExternalSpec, quote_for_sh};
use crate::judge::interactor::{Interactor, InteractorCase};
use crate::judge::record::Record;
use crate::judge::verdict::Limits;
use crate::process::{Command, Containment, StartError, clear_orphans};
use crate::run::cancel::CancelToken;
use crate::run::worker_pool::in_parallel;
use crate::util::quote::causes;

/// How long a validator may compute in a case, if its package does not ask for more.
const VALIDATION_TIME: Duration = Duration::from_secs(10);

/// How much it may write, in MiB, if its package does not ask for more. The package's own limit is for submissions.
const VALIDATION_OUTPUT: u64 = 64;

/// Judges the cases of a package.
pub struct PackageJudge<'a> {
    cases: &'a [PackageCase],
    /// That of each case.
    interactors: Vec<Interactor>,
    containment: Containment,
    jobs: NonZeroUsize,
    stop: &'a CancelToken,
}

impl<'a> PackageJudge<'a> {
    /// A judge of these cases with the package's validator, which judges `jobs` of them at the same time.
    ///
    /// # Errors
    /// If the line of the validator cannot be understood.
    pub fn new(
        package: &Description,
        cases: &'a [PackageCase],
        validator: &Program,
        containment: Containment,
        jobs: NonZeroUsize,
        stop: &'a CancelToken,
    ) -> Result<Self, ExternalError> {
        let time = package.validation_time.unwrap_or(VALIDATION_TIME);
        let interactor = |case: &PackageCase| -> Result<Interactor, ExternalError> {
            let spec = ExternalSpec::of_line(line(validator, case), Some(Contract::Kattis));
            let spec = ExternalSpec {
                zero_counts: true,
                ..spec
            };
            let interactor = Interactor::new(&spec)?.expect("it has a contract");
            let interactor = interactor
                .with_time(time.max(VALIDATION_TIME))
                .with_decimals();
            Ok(interactor.with_output(package.validation_output_mib.max(VALIDATION_OUTPUT) << 20))
        };
        Ok(Self {
            cases,
            interactors: cases.iter().map(interactor).collect::<Result<_, _>>()?,
            containment,
            jobs,
            stop,
        })
    }

    /// Judges a submission on all cases, and returns the records in the order of the cases.
    ///
    /// # Errors
    /// If it was stopped, or the submission cannot be started.
    pub fn judge(&self, submission: &Program, limits: &Limits) -> Result<Vec<Record>, JudgeError> {
        let command = in_its_folder(submission);
        let work = |at: usize| (at, self.judge_case(at, &command, limits));
        let mut records = vec![None; self.cases.len()];
        let mut failed = None;
        let cases = 0..self.cases.len();
        let judged = in_parallel(
            self.jobs,
            cases,
            work,
            |_| true,
            |results| {
                for (at, result) in results {
                    match result {
                        Ok(record) => records[at] = Some(record),
                        Err(error) => {
                            failed.get_or_insert(error);
                        }
                    }
                }
                match failed {
                    Some(_) => ControlFlow::Break(()),
                    None => ControlFlow::Continue(()),
                }
            },
        );
        Containment::close();
        clear_orphans();
        judged.map_err(|source| JudgeError::System {
            what: "start a thread",
            source,
        })?;
        match failed {
            Some(error) => Err(error),
            None => Ok(records.into_iter().flatten().collect()),
        }
    }

    fn judge_case(
        &self,
        at: usize,
        command: &Command,
        limits: &Limits,
    ) -> Result<Record, JudgeError> {
        let case = &self.cases[at];
        let confinement = limits.confinement(self.containment, None);
        let judged = self.interactors[at].judge(
            InteractorCase {
                title: &case.name,
                path: &case.input,
                number: at as u64,
            },
            command,
            &confinement,
            limits,
            Some(self.stop.fd()),
            &mut (),
        );
        match judged {
            Err(
                fault @ (JudgeError::System { .. } | JudgeError::Start(StartError::System { .. })),
            ) => Ok(Record::internal_error(case.name.clone(), causes(&fault))),
            judged => judged,
        }
    }
}

/// The line of the validator for a case. It runs where it was built, where files of its own are.
fn line(validator: &Program, case: &PackageCase) -> String {
    let words = |words: &mut dyn Iterator<Item = &OsString>| {
        let words = words.map(|word| sh_word(word));
        words.collect::<Vec<_>>().join(" ")
    };
    let command = &validator.command;
    let program = words(&mut std::iter::once(&command.program).chain(&command.args));
    let flags: Vec<OsString> = case.flags.iter().map(OsString::from).collect();
    format!(
        "cd {} && exec {program} {{case}} {} {{feedback}}/ {}",
        sh_word(validator.folder.as_os_str()),
        sh_word(case.answer.as_os_str()),
        words(&mut flags.iter())
    )
}

/// A word as `sh` reads it, in a line where braces stand around placeholders. The line is text, so bytes that are none
/// come from `printf`.
fn sh_word(word: &OsStr) -> String {
    let mut quoted = Vec::new();
    quote_for_sh(word, &mut quoted);
    match String::from_utf8(quoted) {
        Ok(text) => text.replace('{', "{{").replace('}', "}}"),
        Err(_) => {
            let bytes = word.as_bytes().iter();
            let octal: String = bytes.map(|byte| format!("\\{byte:03o}")).collect();
            format!("\"$(printf '{octal}')\"")
        }
    }
}

/// A submission runs where it was built.
fn in_its_folder(submission: &Program) -> Command {
    let command = &submission.command;
    let mut args: Vec<OsString> = vec!["-c".into(), "cd \"$0\" && exec \"$@\"".into()];
    args.extend([
        submission.folder.clone().into_os_string(),
        command.program.clone(),
    ]);
    args.extend(command.args.iter().cloned());
    Command {
        program: "sh".into(),
        args,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn words_that_are_no_text_reach_the_validator_as_they_are() {
        for word in [
            &b"/a"[..],
            b"/it's {a} \"b\" $c\\",
            b"/a\nb",
            b"/\xff\xfe %s '{x}\" \\",
            b"\x81\x88 \x80",
        ] {
            let validator = Program {
                language: "C",
                folder: "/".into(),
                command: Command {
                    program: "printf".into(),
                    args: vec!["[%s]".into(), OsStr::from_bytes(word).into()],
                },
            };
            let case = PackageCase {
                name: String::new(),
                input: "i".into(),
                answer: OsStr::from_bytes(word).into(),
                flags: Vec::new(),
            };
            let spec = ExternalSpec::of_line(line(&validator, &case), Some(Contract::Kattis));
            let filled = spec.filled_interactor(&case.input, 0, Path::new("f"));
            let said = std::process::Command::new("sh")
                .arg("-c")
                .arg(filled)
                .output();
            let expected = [b"[", word, b"][i][", word, b"][f/]"].concat();
            assert_eq!(said.unwrap().stdout, expected);
        }
    }

    #[test]
    fn a_validator_gets_both_files_its_folder_and_its_flags() {
        let validator = Program {
            language: "Python",
            folder: "/tmp/a b".into(),
            command: Command {
                program: "python3".into(),
                args: vec!["/tmp/a b/{v}.py".into()],
            },
        };
        let case = PackageCase {
            name: "secret/1".to_owned(),
            input: "/data/1.in".into(),
            answer: "/data/it's.ans".into(),
            flags: vec!["--most".to_owned(), "7 8".to_owned()],
        };
        let spec = ExternalSpec::of_line(line(&validator, &case), Some(Contract::Kattis));
        spec.check_interactor().unwrap();
        let filled = spec.filled_interactor(&case.input, 0, Path::new("/tmp/f"));
        let expected = r"cd '/tmp/a b' && exec python3 '/tmp/a b/{v}.py' /data/1.in '/data/it'\''s.ans' /tmp/f/ --most '7 8'";
        assert_eq!(filled.to_str(), Some(expected));
    }
}
