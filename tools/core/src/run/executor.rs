//! Judges the cases of a run. It is built from the [specification](RunSpec) and adds what no file can hold: the
//! sandbox and the compiled expression.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::case::{Case, CaseError, CaseId, Content, RuleError};
use crate::judge::external::{DirectLine, External, ExternalError, ExternalSpec};
use crate::judge::interactor::Interactor;
use crate::judge::verdict::Limits;
use crate::problem::has_built_in_problems;
use crate::process::program::fingerprint::own_program;
use crate::process::sandbox::Sandbox;
use crate::process::{Command, Confinement, Containment, Meter, StartError};
use crate::util::atomic_file::{WriteError, check_folder_of, folder_of};
use crate::util::output_dir::make_output_dir;
use crate::util::temporary::remove_temporary;

use super::case_parameters::CaseParameters;
use super::program_files::ProgramFiles;
use super::provenance::Provenance;
use super::spec::RunSpec;
use super::stage_file::StageFile;

/// Judges cases.
#[derive(Clone, Debug)]
pub struct Executor {
    spec: RunSpec,
    /// Those in force, which may be scaled to the speed of this machine.
    pub(super) limits: Limits,
    sandbox: Option<Sandbox>,
    containment: Containment,
    pub(super) external: Option<External>,
    pub(super) interactor: Option<Interactor>,
    pub(super) parameters: CaseParameters,
    /// The run's own folder, if it has one; else outputs go only to where the newest are.
    folder: Option<PathBuf>,
    /// Whether that folder was empty, so that no file of an earlier run is in it.
    pub(super) folder_was_empty: bool,
    /// Made before the first case.
    stage: Arc<OnceLock<StageFile>>,
    /// Those of the programs, as they are before the first case.
    files: Arc<OnceLock<ProgramFiles>>,
}

/// Why a batch stopped early. The outputs of the cases judged before are whole.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// A case file cannot be read.
    #[error(transparent)]
    Case(#[from] CaseError),
    /// The contestant cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// The outputs would replace the cases.
    #[error("outputs and cases are in one folder, {}; nothing was run", .dir.display())]
    SameFolder {
        /// The folder.
        dir: PathBuf,
    },
    /// No thread can be started.
    #[error("failed to start a thread")]
    Thread(#[source] io::Error),
    /// An output file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A program is another one than at the beginning.
    #[error("{} has changed while cases were judged", .file.display())]
    Changed {
        /// Its file, or that of a script.
        file: PathBuf,
    },
    /// The cases do not have the parameters that the judge's description names.
    #[error(transparent)]
    Parameters(#[from] RuleError),
}

impl BatchError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Case(error) => error.hint(),
            Self::Start(error) => error.hint(),
            Self::SameFolder { .. } => Some("name another folder with --out".to_owned()),
            Self::Parameters(error) => error.hint(),
            Self::Changed { .. } => {
                let hint =
                    "begin another run; to go on building meanwhile, judge a copy of the program";
                Some(hint.to_owned())
            }
            Self::Thread(_) | Self::Write(_) => None,
        }
    }
}

impl Executor {
    /// An executor without a sandbox and without a folder of the run.
    ///
    /// # Errors
    /// If the score expression of the external judge, or its rule for parameters, is invalid.
    pub fn new(spec: RunSpec) -> Result<Self, ExternalError> {
        let rule = spec.external.as_ref().map(ExternalSpec::parameter_rule);
        let rule = rule.transpose()?.flatten();
        Ok(Self {
            external: spec.external.clone().map(External::new).transpose()?,
            interactor: match &spec.external {
                Some(external) => Interactor::new(external)?,
                None => None,
            },
            parameters: CaseParameters::new(rule, &spec.parameters),
            limits: spec.limits,
            spec,
            sandbox: None,
            containment: Containment::Tree,
            folder: None,
            folder_was_empty: false,
            stage: Arc::default(),
            files: Arc::default(),
        })
    }

    /// The same executor with a sandbox.
    #[must_use]
    pub fn with_sandbox(mut self, sandbox: Sandbox) -> Self {
        self.spec.sandbox = Some(sandbox.name());
        self.sandbox = Some(sandbox);
        self
    }

    /// The same executor with this containment; the usual one is the process tree.
    #[must_use]
    pub fn with_containment(mut self, containment: Containment) -> Self {
        self.spec.containment = Some(containment.name().to_owned());
        self.containment = containment;
        self
    }

    /// How contestants are held.
    pub(super) fn confinement(&self) -> Confinement<'_> {
        let sandbox = self.sandbox.as_ref();
        Confinement {
            nests: self.starts_a_line(),
            ..self.limits.confinement(self.containment, sandbox)
        }
    }

    /// The same executor with other limits in force; the specification does not change.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The same executor with the run's own folder, which must exist.
    #[must_use]
    pub fn with_folder(mut self, folder: PathBuf) -> Self {
        let first = std::fs::read_dir(&folder).map(|mut files| files.next());
        self.folder_was_empty = matches!(first, Ok(None));
        self.folder = Some(folder);
        self
    }

    /// What is judged, and where. The programs are read once; what they contained counts until the run ends.
    pub fn provenance(&self) -> Provenance {
        let has_own_rules = self.spec.external.is_none() && !has_built_in_problems();
        Provenance {
            own_rules: has_own_rules.then(own_program).flatten().map(str::to_owned),
            ..Provenance::new(|| self.fingerprint())
        }
    }

    /// What the program is, by the content of its files.
    ///
    /// Cost: reads them at the first call.
    pub fn fingerprint(&self) -> String {
        self.files().fingerprint(&self.spec.command)
    }

    /// What is judged, with what the files of the external judge contain.
    pub fn spec_with_files(&self) -> RunSpec {
        RunSpec {
            external: self.external_with_files(),
            ..self.spec.clone()
        }
    }

    /// The description of the external judge, with what its files contain.
    pub fn external_with_files(&self) -> Option<ExternalSpec> {
        let external = self.spec.external.clone()?;
        let files = self.files().fingerprint_of_line(&external.line);
        Some(ExternalSpec {
            files: Some(files),
            ..external
        })
    }

    fn files(&self) -> &ProgramFiles {
        self.files.get_or_init(|| ProgramFiles::look(&self.spec))
    }

    /// Looks whether the programs are those with which the run began. A case that was judged before is of these
    /// programs.
    ///
    /// # Errors
    /// If one of them has changed.
    pub(super) fn check_programs(&self) -> Result<(), BatchError> {
        let changed = self.files().changed_code();
        changed.map_or(Ok(()), |file| Err(BatchError::Changed { file }))
    }

    /// Other files that the command names and that were written since the run began.
    pub fn written_data(&self) -> Vec<PathBuf> {
        self.files().written_data()
    }

    /// The same executor for a run whose names of parameters must be known before it begins: those that occur first in
    /// `[DATA]` lines do not count.
    #[must_use]
    pub fn with_fixed_parameters(mut self) -> Self {
        self.parameters = self.parameters.with_fixed_names();
        self
    }

    /// The names of all parameters, if names were found since this was last asked. The history must have them before
    /// it gets the records that were judged until now.
    pub fn new_parameters(&self) -> Option<Vec<String>> {
        self.parameters.new_names()
    }

    /// How cases are judged.
    pub fn spec(&self) -> &RunSpec {
        &self.spec
    }

    /// Checks that the contestant and another judge's programs can be started and that its outputs can be written, and makes the output folder.
    /// Call this before any case is judged.
    ///
    /// # Errors
    /// If the program does not exist, there is no `/proc`, cases and outputs are in one folder, or `out` cannot be made or written.
    pub fn prepare(&self) -> Result<(), BatchError> {
        let dir = &self.spec.out;
        self.files();
        self.spec.command.check()?;
        let external = self.spec.external.as_ref();
        external.map_or(Ok(()), ExternalSpec::check_programs)?;
        self.spec.command.check_proc()?;
        let out = dir.canonicalize().ok();
        let in_out = |folder: &Path| {
            let of_runs = || {
                out.as_ref()
                    .is_some_and(|out| folder.starts_with(out.join(RUNS)))
            };
            Some(folder) == out.as_deref() || of_runs()
        };
        // Both the folder that holds the case's name and the folder to which a link leads.
        let is_out = |path: &Path| {
            let named = folder_of(path).canonicalize().ok();
            let real = path.canonicalize().ok();
            let folders = [named.as_deref(), real.as_deref().and_then(Path::parent)];
            folders.into_iter().flatten().any(in_out)
        };
        if out.is_some()
            && self
                .spec
                .source
                .files()?
                .iter()
                .any(|file| is_out(&file.path))
        {
            return Err(BatchError::SameFolder { dir: dir.clone() });
        }
        if let Some(rule) = self.parameters.rule() {
            rule.check(&self.spec.source)?;
        }
        make_output_dir(dir)?;
        // Of testers that were killed.
        remove_temporary(dir);
        // A folder without write permission is reported now.
        check_folder_of(&dir.join(CaseId(0).file_name("txt")))?;
        // Now, while no program is started: it would hold the file open that is written here.
        if self.starts_a_line() {
            self.stage();
        }
        Ok(())
    }

    /// Whether the contestant is started by another judge's line, and not by us.
    pub(super) fn starts_a_line(&self) -> bool {
        self.external.is_some() && self.interactor.is_none()
    }

    /// What measures contestants that an external judge starts.
    fn stage(&self) -> &StageFile {
        self.stage.get_or_init(|| StageFile::new(&self.spec.out))
    }

    /// A meter for one case, if an external judge starts the contestant. Without one, the figures are those of the whole
    /// line.
    pub(super) fn meter(&self) -> Option<Meter> {
        self.external.as_ref()?;
        Meter::new(self.stage().stage()?).ok()
    }

    /// What is started for a case. If an external judge starts the contestant, `meter` hears what that uses.
    pub(super) fn command_for(&self, case: &Case, meter: Option<&Meter>) -> Command {
        match (&self.spec.external, &case.content) {
            (Some(external), Content::External { path, .. }) if self.starts_a_line() => {
                let id = case.key.id;
                let out = self.file(id, "txt");
                let command = &self.spec.command;
                Command::shell(external.filled_in_scope(path, id.0, &out, command, meter))
            }
            _ => self.spec.command.clone(),
        }
    }

    /// What is started for a case of an external judge whose line needs no shell.
    pub(super) fn direct_line(&self, case: &Case, meter: Option<&Meter>) -> Option<DirectLine> {
        let (Some(external), Content::External { path, .. }) = (&self.spec.external, &case.content)
        else {
            return None;
        };
        let (id, command) = (case.key.id, &self.spec.command);
        external.without_shell(path, id.0, &self.file(id, "txt"), command, meter)
    }

    /// Whether the external judge's line itself writes the contestant's output.
    pub(super) fn line_writes_out(&self) -> bool {
        let external = self.spec.external.as_ref();
        external.is_some_and(ExternalSpec::writes_out)
    }

    /// The path of an output file of a case.
    pub(super) fn file(&self, case: CaseId, kind: &str) -> PathBuf {
        let folder = self.folder.as_ref().unwrap_or(&self.spec.out);
        folder.join(case.file_name(kind))
    }

    /// The path of the copy that is written with a case, if there is one.
    pub(super) fn copy(&self, case: CaseId, kind: &str) -> Option<PathBuf> {
        let copy = || self.spec.out.join(case.file_name(kind));
        let now = self.folder.is_some() && !self.must_conceal();
        now.then(copy)
    }

    /// Whether contestants could learn from the names of output files which case they play. The run's folder needs
    /// a name that they cannot guess, the order of cases must be random, and copies are made when the run has ended
    /// ([`copy_outputs`](super::outputs::copy_outputs)).
    pub fn must_conceal(&self) -> bool {
        self.sandbox.as_ref().is_some_and(Sandbox::shows_names)
    }
}

/// The folder of the runs' folders, in the folder of the newest outputs.
pub const RUNS: &str = "runs";
