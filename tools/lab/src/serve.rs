//! A local page over the history and the lab: runs, cases with what was known at each turn, games to play.
//!
//! It listens on loopback only, answers questions and changes nothing. Requests must be meant for this server. A page
//! of another site cannot read it: its `Host` (another name for this address) or its `Origin` is refused.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use tokio::net::TcpListener;

use crate::analysis::{self, Analyst};

mod cases;
mod games;
mod messages;
mod pages;
mod runs;

/// So long an answer that is under way may take once we are to end.
const PATIENCE: Duration = Duration::from_secs(1);
/// What is asked is no longer than this, a prior over a large game included.
const MOST_BYTES: usize = 1 << 20;

/// What every answer may need.
pub struct Shared {
    /// Where runs are kept.
    history: PathBuf,
    /// How `tester` is called in commands that are shown.
    tester: String,
    /// Games that were asked for, by name: their tables take a while to make.
    games: Mutex<HashMap<String, Arc<dyn Analyst>>>,
}

impl Shared {
    /// Over this history.
    pub fn new(history: PathBuf, tester: String) -> Self {
        Self {
            history,
            tester,
            games: Mutex::new(HashMap::new()),
        }
    }

    /// Who looks into a game.
    fn analyst(&self, problem: &str) -> Result<Arc<dyn Analyst>, Failure> {
        let mut games = self
            .games
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = games.get(problem) {
            return Ok(Arc::clone(known));
        }
        let analyst: Arc<dyn Analyst> = analysis::analyst(problem).map_err(Failure::wrong)?.into();
        // Users look at a few games; requests for all games must not fill the memory.
        if games.len() >= 8 {
            games.clear();
        }
        games.insert(problem.to_owned(), Arc::clone(&analyst));
        Ok(analyst)
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub struct Failure {
    status: StatusCode,
    why: String,
}

impl Failure {
    /// What was asked for is not right.
    fn wrong(why: impl ToString) -> Self {
        Self {
            status: StatusCode::BAD_REQUEST,
            why: why.to_string(),
        }
    }

    /// It is not there.
    fn absent(why: impl ToString) -> Self {
        Self {
            status: StatusCode::NOT_FOUND,
            why: why.to_string(),
        }
    }
}

impl From<tester::store::HistoryError> for Failure {
    fn from(error: tester::store::HistoryError) -> Self {
        use tester::store::HistoryError::{
            Absent, Database, Folder, Gone, Newer, NoRun, NotAHistory,
        };
        match &error {
            Absent(_) | NoRun { .. } => Self::absent(error),
            // The history is there but cannot be used: another request does not help.
            NotAHistory(_) | Newer { .. } | Gone(_) | Database { .. } | Folder(_) => Self {
                status: StatusCode::SERVICE_UNAVAILABLE,
                why: error.to_string(),
            },
        }
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
fn page(made: Result<Vec<u8>, Failure>) -> Response {
    match made {
        Ok(html) => Html(html).into_response(),
        Err(failure) => (failure.status, Html(pages::error(&failure.why))).into_response(),
    }
}

/// Does work that takes a while, or reads files, where others need not wait for it.
async fn away<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|_| {
        Err(Failure {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            why: "failed to answer: a fault of this program, which its standard error tells of"
                .to_owned(),
        })
    })
}

/// A server that is listening.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

impl Server {
    /// Listens on loopback; port 0 is any that is free.
    ///
    /// # Errors
    /// If the port is in use, or may not be had.
    pub async fn bind(port: u16, shared: Shared) -> std::io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(shared);
        Ok(Self {
            listener,
            address,
            shared,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until `stop` is done.
    ///
    /// # Errors
    /// If it cannot listen any more.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
        let app = Router::new()
            .route("/", get(runs::home))
            .route("/api/runs", get(runs::list))
            .route("/report", get(runs::report))
            .route("/case/{run}/{case}", get(cases::case))
            .route("/api/session/{run}/{case}", get(cases::session))
            .route("/board", get(games::board))
            .route("/articles", get(games::articles))
            .route("/api/analysis", post(games::analysis))
            .route("/api/game", get(games::game))
            // The page says in its reader's language that there is none.
            .fallback(async || page(Err(Failure::absent(""))))
            .with_state(self.shared)
            .layer(DefaultBodyLimit::max(MOST_BYTES))
            .layer(from_fn_with_state(self.address, guard));
        // Running answers get a moment to finish; a client that keeps us waiting gets no longer.
        let (told, tell) = tokio::sync::oneshot::channel();
        let stop = async move {
            stop.await;
            let _ = told.send(());
        };
        let served = axum::serve(self.listener, app).with_graceful_shutdown(stop);
        let patience = async {
            let _ = tell.await;
            tokio::time::sleep(PATIENCE).await;
        };
        tokio::select! {
            done = served.into_future() => done,
            () = patience => Ok(()),
        }
    }
}

/// Whether a request means this server, by name and by origin.
fn is_meant(address: SocketAddr, headers: &HeaderMap) -> bool {
    let names = ["127.0.0.1", "localhost"].map(|name| format!("{name}:{}", address.port()));
    let is_ours = |host: &str| names.iter().any(|name| name.eq_ignore_ascii_case(host));
    let text = |value: &HeaderValue| value.to_str().map(str::to_owned).unwrap_or_default();
    // Said twice, both must be ours.
    let hosts: Vec<String> = headers.get_all(header::HOST).iter().map(text).collect();
    let mut origins = headers.get_all(header::ORIGIN).iter().map(text);
    let origin_is_ours = origins.all(|origin| origin.strip_prefix("http://").is_some_and(is_ours));
    // A page of another site may send a request without an origin, for example for a picture. Browsers then say that
    // the site is another one. Links from other sites that a user follows are allowed.
    let is = |name: &str, wanted: &[&str]| {
        headers
            .get(name)
            .map(text)
            .is_none_or(|value| wanted.contains(&&*value))
    };
    let followed = headers.contains_key("sec-fetch-dest") && is("sec-fetch-dest", &["document"]);
    let site_is_ours = is("sec-fetch-site", &["same-origin", "none"]) || followed;
    let host_is_ours = !hosts.is_empty() && hosts.iter().all(|host| is_ours(host));
    host_is_ours && origin_is_ours && site_is_ours
}

/// Answers only who means this server.
async fn guard(State(address): State<SocketAddr>, request: Request, next: Next) -> Response {
    if !is_meant(address, request.headers()) {
        let why = format!(
            "expected a request to http://localhost:{}, found another name or origin\n",
            address.port()
        );
        return (StatusCode::FORBIDDEN, why).into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let value = HeaderValue::from_static;
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, value("nosniff"));
    headers.insert(header::X_FRAME_OPTIONS, value("DENY"));
    headers.insert(header::REFERRER_POLICY, value("no-referrer"));
    headers.insert(header::CACHE_CONTROL, value("no-store"));
    headers.insert("cross-origin-resource-policy", value("same-origin"));
    response
}
