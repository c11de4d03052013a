//! Where another judge's score is found, and what it means.

use clap::Args;
use tester_core::judge::ScoreScale;
use tester_core::judge::external::{ExternalSpec, Stream};

use super::config::Overlay;
use super::values::stream;

/// What may be typed about the score that another judge prints.
#[derive(Args, Default)]
#[command(next_help_heading = "External judge")]
pub(crate) struct ScoreArgs {
    /// The score in what the line prints: the group named "score" of the last match
    #[arg(long, value_name = "REGEX")]
    score_regex: Option<String>,
    /// Multiply the score by this integer, and round it: for scores with decimals
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    score_scale: Option<ScoreScale>,
    /// Accept a score of 0, which otherwise means a wrong answer
    #[arg(long)]
    zero_counts: bool,
    /// Where to look for the score: any (stdout of a line with "> {out}", else stderr, then stdout), stdout or stderr [default: any]
    #[arg(long, value_name = "STREAM", value_parser = stream)]
    score_stream: Option<Stream>,
}

impl ScoreArgs {
    /// Takes what was not typed from the file.
    pub(super) fn overlay(
        &mut self,
        regex: Option<String>,
        scale: Option<ScoreScale>,
        stream: Option<Stream>,
        zero_counts: bool,
        overlay: &mut Overlay,
    ) {
        overlay.fill("score-regex", &mut self.score_regex, regex);
        overlay.fill("score-scale", &mut self.score_scale, scale);
        if let (None, Some(stream)) = (self.score_stream, stream) {
            overlay.note(&format!("--score-stream={}", stream.name()));
            self.score_stream = Some(stream);
        }
        if zero_counts && !self.zero_counts {
            overlay.note("--zero-counts");
            self.zero_counts = true;
        }
    }

    /// The options, and whether each was typed.
    pub(super) fn given(&self) -> [(&'static str, bool); 4] {
        [
            ("--score-regex", self.score_regex.is_some()),
            ("--score-scale", self.score_scale.is_some()),
            ("--zero-counts", self.zero_counts),
            ("--score-stream", self.score_stream.is_some()),
        ]
    }

    /// The same judge, whose score is found so.
    ///
    /// # Errors
    /// If it is an interactor, whose stdout goes to the program.
    pub(super) fn applied(&self, judge: ExternalSpec) -> anyhow::Result<ExternalSpec> {
        anyhow::ensure!(
            judge.contract.is_none() || self.score_stream != Some(Stream::Stdout),
            "--score-stream stdout cannot be used with --interactor, whose score is on stderr"
        );
        Ok(ExternalSpec {
            score: self.score_regex.clone().unwrap_or(judge.score),
            scale: self.score_scale.unwrap_or_default(),
            zero_counts: self.zero_counts,
            stream: self.score_stream.unwrap_or_default(),
            ..judge
        })
    }
}
