//! An answer, or why there is none.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use tokio::sync::Semaphore;

use super::{messages, pages};

/// Why there is no answer.
#[derive(Debug)]
pub struct Failure {
    pub(super) status: StatusCode,
    pub(super) why: String,
}

impl Failure {
    /// What was asked for is not right.
    pub(super) fn wrong(why: impl ToString) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            why: why.to_string(),
        }
    }

    /// It is not there.
    pub(super) fn absent(why: impl ToString) -> Self {
        Self {
            status: StatusCode::NOT_FOUND,
            why: why.to_string(),
        }
    }
}

/// The cause, and what to do about it on the next line.
pub(super) fn with_hint(error: &impl ToString, hint: Option<String>) -> String {
    let hint = hint.map_or_else(String::new, |hint| [messages::HINT, &hint].concat());
    error.to_string() + &hint
}

impl From<tester::store::HistoryError> for Failure {
    fn from(error: tester::store::HistoryError) -> Self {
        use tester::store::HistoryError::{
            Absent, Best, Damaged, Database, Folder, Gone, Newer, NoRun, NotAHistory, Running,
            Unsafe,
        };
        let status = match &error {
            Absent(_) | NoRun { .. } => StatusCode::NOT_FOUND,
            // The history is there but cannot be used: another request does not help.
            NotAHistory(_)
            | Unsafe { .. }
            | Newer { .. }
            | Gone(_)
            | Damaged { .. }
            | Best { .. }
            | Database { .. }
            | Folder(_)
            | Running { .. } => StatusCode::SERVICE_UNAVAILABLE,
        };
        let why = with_hint(&error, error.hint());
        Self { status, why }
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let japanese = messages::translations(&self.why);
        let body = serde_json::json!({ "error": self.why, "japanese": japanese });
        (self.status, Json(body)).into_response()
    }
}

/// A page, or the page that says why there is none.
pub(super) fn page(made: Result<Vec<u8>, Failure>) -> Response {
    match made {
        Ok(html) => Html(html).into_response(),
        Err(failure) => (failure.status, Html(pages::error(&failure.why))).into_response(),
    }
}

/// How many pages are made at once.
static PAGES: Semaphore = Semaphore::const_new(8);
/// How many answers are computed at once that may take tens of megabytes or seconds each: reports and analyses.
static LARGE: Semaphore = Semaphore::const_new(2);

/// Does work that takes a while, or reads files, where others need not wait for it.
pub(super) async fn away<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    away_in(&PAGES, work).await
}

/// The same for work that may take tens of megabytes, or seconds.
pub(super) async fn far_away<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    away_in(&LARGE, work).await
}

async fn away_in<T: Send + 'static>(
    places: &'static Semaphore,
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let place = places.acquire().await;
    // The work goes on where the client has left, so its place is its own.
    let work = move || {
        let _place = place;
        work()
    };
    // Only where panics unwind: those of a release build end the process.
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| {
        Err(Failure {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            why: "failed to answer: a fault of this program, which its standard error tells of"
                .to_owned(),
        })
    })
}
