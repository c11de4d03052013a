//! What a package says of its problem, in `problem.yaml` and beside it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::PackageError;
use super::settings::Settings;

/// The usual limits of the format.
const USUAL_MEMORY_MIB: f64 = 2048.0;
const USUAL_OUTPUT_MIB: f64 = 8.0;

/// What a package says of its problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The name of the package's folder.
    pub name: String,
    /// Whether it is in the older format, which says `validation`.
    pub is_legacy: bool,
    /// The time limit, if it is written down, and where.
    pub time_limit: Option<(Duration, &'static str)>,
    /// Without a time limit, it is this many times the time of the slowest accepted submission.
    pub time_multiplier: f64,
    /// And a multiple of this.
    pub time_resolution: f64,
    /// The limit of memory.
    pub memory_mib: u64,
    /// The limit of output.
    pub output_mib: u64,
    /// How long the validator may compute, if that is written down.
    pub validation_time: Option<Duration>,
    /// How much it may write.
    pub validation_output_mib: u64,
    /// Arguments of the validator in all cases.
    pub validator_flags: Vec<String>,
}

impl Description {
    /// Reads it from the package's folder.
    ///
    /// # Errors
    /// If there is no package, or its problem is not interactive.
    pub fn read(dir: &Path) -> Result<Self, PackageError> {
        let path = dir.join("problem.yaml");
        if !path.is_file() {
            return Err(PackageError::NotAPackage(dir.to_owned()));
        }
        let file = Settings::read(&path)?;
        let is_legacy = is_legacy(&file)?;
        check_kind(&file, is_legacy)?;
        let limit = |name| file.number(&["limits", name]);
        let usual = match is_legacy {
            true => (&["limits", "time_multiplier"][..], 5.0),
            false => (&["limits", "time_multipliers", "ac_to_time_limit"][..], 2.0),
        };
        let real = fs::canonicalize(dir).map_err(PackageError::read(dir))?;
        let name = real.file_name().unwrap_or(real.as_os_str());
        Ok(Self {
            name: name.to_string_lossy().into_owned(),
            is_legacy,
            time_limit: time_limit(dir, &file)?,
            time_multiplier: file.number(usual.0)?.unwrap_or(usual.1),
            time_resolution: limit("time_resolution")?.unwrap_or(1.0),
            memory_mib: mebibytes(limit("memory")?.unwrap_or(USUAL_MEMORY_MIB)),
            output_mib: mebibytes(limit("output")?.unwrap_or(USUAL_OUTPUT_MIB)),
            validation_time: limit("validation_time")?.map(seconds),
            validation_output_mib: mebibytes(
                limit("validation_output")?.unwrap_or(USUAL_OUTPUT_MIB),
            ),
            validator_flags: file.words("validator_flags")?.unwrap_or_default(),
        })
    }

    /// The time limit that follows from the slowest accepted submission.
    pub fn computed_time_limit(&self, slowest: Duration) -> Duration {
        let least = slowest.as_secs_f64() * self.time_multiplier;
        let steps = (least / self.time_resolution).ceil().max(1.0);
        seconds(steps * self.time_resolution)
    }
}

/// A size of a file; one that is too large for a limit is more than any machine has.
fn mebibytes(mebibytes: f64) -> u64 {
    mebibytes.ceil().min(f64::from(u32::MAX)) as u64
}

/// A time of a file; one that is too long for a limit is as long as a day.
fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds.min(86_400.0))
}

/// Without a version, a file that says `type` is in a newer format. The older one knows that key only for problems with
/// scores, and says in `validation` whether they are interactive.
fn is_legacy(file: &Settings) -> Result<bool, PackageError> {
    let version = file.text("problem_format_version")?;
    Ok(match version {
        Some(version) => version.starts_with("legacy"),
        None => file.words("type")?.is_none() || file.words("validation")?.is_some(),
    })
}

fn check_kind(file: &Settings, is_legacy: bool) -> Result<(), PackageError> {
    let (key, usual) = match is_legacy {
        true => ("validation", "default"),
        false => ("type", "pass-fail"),
    };
    let words = file.words(key)?.unwrap_or_else(|| vec![usual.to_owned()]);
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    match has("interactive") && !has("multi-pass") {
        true => Ok(()),
        false => Err(PackageError::Kind {
            path: file.path().to_owned(),
            found: format!("`{key}: {}`", words.join(" ")),
        }),
    }
}

/// The time limit of `problem.yaml`, or of the files in which DOMjudge and others have it.
fn time_limit(
    dir: &Path,
    file: &Settings,
) -> Result<Option<(Duration, &'static str)>, PackageError> {
    if let Some(limit) = file.number(&["limits", "time_limit"])? {
        return Ok(Some((seconds(limit), "problem.yaml")));
    }
    let ini = |text: &str| {
        let values = text.lines().filter_map(|line| line.split_once('='));
        let mut values = values.filter(|(key, _)| key.trim() == "timelimit");
        let (_, value) = values.next()?;
        Some(value.trim().trim_matches(['\'', '"']).to_owned())
    };
    let plain = |text: &str| Some(text.to_owned());
    type Value = fn(&str) -> Option<String>;
    let places: [(&'static str, Value); 2] = [("domjudge-problem.ini", ini), (".timelimit", plain)];
    for (name, value) in places {
        let path: PathBuf = dir.join(name);
        let found = fs::read_to_string(&path).ok();
        let Some(found) = found.and_then(|text| value(&text)) else {
            continue;
        };
        let number = found.trim().parse().ok();
        let number = number.filter(|number: &f64| number.is_finite() && *number > 0.0);
        let limit = number.ok_or_else(|| PackageError::Value {
            path,
            key: "the time limit",
            expected: "a number of seconds above 0",
            found: format!("{:?}", found.trim()),
        })?;
        return Ok(Some((seconds(limit), name)));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(files: &[(&str, &str)]) -> Result<Description, PackageError> {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(dir.path().join(name), text).unwrap();
        }
        Description::read(dir.path())
    }

    #[test]
    fn a_size_too_large_for_any_machine_stays_one() {
        let yaml =
            "validation: custom interactive\nlimits: {output: 17592186044416, memory: 1e300}\n";
        let package = described(&[("problem.yaml", yaml)]).unwrap();
        // As the judge counts them: in bytes.
        let bytes = [package.output_mib, package.memory_mib].map(|size| size.checked_mul(1 << 20));
        assert!(
            bytes
                .iter()
                .all(|bytes| bytes.is_some_and(|b| b >= 1 << 50)),
            "{bytes:?}"
        );
    }

    #[test]
    fn both_formats_say_that_a_problem_is_interactive() {
        let found = described(&[(
            "problem.yaml",
            "validation: custom interactive score\nvalidator_flags: a b\nlimits:\n  memory: 64\n",
        )])
        .unwrap();
        assert!(found.is_legacy);
        assert_eq!((found.memory_mib, found.output_mib), (64, 8));
        assert_eq!(found.validator_flags, ["a", "b"]);
        assert_eq!(found.time_limit, None);
        // 0.3 s and five times as long; in the newer format twice, in steps of 0.5 s.
        assert_eq!(found.computed_time_limit(seconds(0.3)), seconds(2.0));
        assert_eq!(found.computed_time_limit(seconds(0.01)), seconds(1.0));
        let text = "type: scoring\nvalidation: custom interactive score\n";
        assert!(described(&[("problem.yaml", text)]).unwrap().is_legacy);
        let text = "problem_format_version: 2025-09\ntype:\n- interactive\nlimits:\n  time_resolution: 0.5\n  time_limit: 2.5\n";
        let found = described(&[("problem.yaml", text), (".timelimit", "9\n")]).unwrap();
        assert!(!found.is_legacy);
        assert_eq!(found.time_limit, Some((seconds(2.5), "problem.yaml")));
        assert_eq!(found.computed_time_limit(seconds(0.3)), seconds(1.0));
    }

    #[test]
    fn time_limits_stand_beside_the_description_too() {
        let yaml = ("problem.yaml", "validation: custom interactive");
        let limit = |file| described(&[yaml, file]).map(|found| found.time_limit);
        let found = limit((".timelimit", "5\n")).unwrap();
        assert_eq!(found, Some((seconds(5.0), ".timelimit")));
        let found = limit(("domjudge-problem.ini", "name=x\ntimelimit='1.5'\n")).unwrap();
        assert_eq!(found, Some((seconds(1.5), "domjudge-problem.ini")));
        let error = limit((".timelimit", "soon")).unwrap_err().to_string();
        assert!(
            error.contains("expected a number of seconds above 0"),
            "{error}"
        );
    }

    #[test]
    fn other_problems_are_refused_with_what_they_are() {
        let why = |text| {
            let error = described(&[("problem.yaml", text)])
                .unwrap_err()
                .to_string();
            error.split(" in ").next().unwrap().to_owned()
        };
        insta::assert_snapshot!(why("name: x"), @"expected an interactive problem, found `validation: default`");
        insta::assert_snapshot!(why("validation: custom multi-pass"), @"expected an interactive problem, found `validation: custom multi-pass`");
        insta::assert_snapshot!(why("type: [interactive, multi-pass]"), @"expected an interactive problem, found `type: interactive multi-pass`");
        insta::assert_snapshot!(why("problem_format_version: 2025-09"), @"expected an interactive problem, found `type: pass-fail`");
        assert!(matches!(described(&[]), Err(PackageError::NotAPackage(_))));
    }
}
