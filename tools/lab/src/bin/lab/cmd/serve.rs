//! `lab serve`: a local page over the history and the lab.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use lab::serve::{Server, Shared};
use tokio::signal::unix::{SignalKind, signal};

use crate::cli::ServeArgs;

pub(crate) fn run(args: &ServeArgs) -> Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("failed to start threads")?;
    let ended = runtime.block_on(async {
        // Before the address is printed.
        let mut interrupt = signal(SignalKind::interrupt()).context("failed to hear Ctrl-C")?;
        let mut terminate = signal(SignalKind::terminate()).context("failed to hear signals")?;
        let shared = Shared::new(args.history.clone(), tester());
        let failed = || format!("failed to listen on port {}", args.port);
        let server = Server::bind(args.port, shared).await.with_context(failed)?;
        out!(
            "http://localhost:{}/  (Ctrl-C ends it)",
            server.address().port()
        );
        let stop = async move {
            tokio::select! {
                _ = interrupt.recv() => (),
                _ = terminate.recv() => (),
            }
        };
        server.run(stop).await;
        Ok(ExitCode::SUCCESS)
    });
    // Answers that are still being computed are not needed.
    runtime.shutdown_background();
    ended
}

/// How the judge is called here, for commands that are shown.
fn tester() -> String {
    let near = "tools/tester";
    let word = if Path::new(near).exists() {
        near
    } else {
        "tester"
    };
    word.to_owned()
}
