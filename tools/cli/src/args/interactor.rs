//! An interactor as the judge: a line for the shell, and what its exit status means.

use clap::Args;
use tester_core::judge::external::{Contract, ExternalSpec};

use super::config::Overlay;

/// What may be typed about an interactor.
#[derive(Args, Default)]
#[command(next_help_heading = "External judge")]
pub(crate) struct InteractorArgs {
    /// Let the program speak with this shell line, which has the case: './interactor {case}'; {feedback} is an empty folder, {number} the case's number
    #[arg(long, value_name = "LINE")]
    interactor: Option<String>,
    /// What the interactor's exit status means: plain (0 is accepted, others are wrong), testlib, kattis (also DOMjudge), or atcoder (Score = N on its stderr) [default: plain]
    #[arg(long, value_name = "CONTRACT", value_parser = contract)]
    contract: Option<Contract>,
}

fn contract(text: &str) -> Result<Contract, String> {
    let names = Contract::ALL.map(|(name, _)| name).join(", ");
    Contract::from_name(text).ok_or_else(|| format!("expected one of {names}"))
}

impl InteractorArgs {
    /// The interactor's line, if there is one.
    pub(super) fn line(&self) -> Option<&str> {
        self.interactor.as_deref()
    }

    /// Takes what was not typed from the file.
    pub(super) fn overlay(
        &mut self,
        line: Option<String>,
        contract: Option<Contract>,
        overlay: &mut Overlay,
    ) {
        overlay.fill("interactor", &mut self.interactor, line);
        if let (None, Some(contract)) = (self.contract, contract) {
            overlay.note(&format!("--contract={}", contract.name()));
            self.contract = Some(contract);
        }
    }

    /// The contract, if there is an interactor.
    pub(super) fn contract(&self) -> anyhow::Result<Option<Contract>> {
        match (&self.interactor, self.contract) {
            (None, Some(_)) => anyhow::bail!("--contract cannot be used without --interactor"),
            (None, None) => Ok(None),
            (Some(_), contract) => Ok(Some(contract.unwrap_or_default())),
        }
    }

    /// The interactor of a case that is judged alone.
    pub(crate) fn spec(&self) -> anyhow::Result<Option<ExternalSpec>> {
        let Some(contract) = self.contract()? else {
            return Ok(None);
        };
        let line = self.line();
        Ok(line.map(|line| ExternalSpec::of_line(line.to_owned(), Some(contract))))
    }
}
