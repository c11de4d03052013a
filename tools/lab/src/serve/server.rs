//! The server: its routes, and which requests it answers.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tokio::net::{TcpListener, TcpSocket};

use super::answer::{Failure, page};
use super::connections::{self, Activity, Answering, BODY};
use super::shared::Shared;
use super::{cases, drawn, games, runs, strategies};

/// What is asked is no longer than this, a prior over a large game included.
const MOST_BYTES: usize = 1 << 20;
/// The most connections that wait to be taken. A client that finds the queue full tries again after a second. A program
/// that opens many fills the usual queue of 128 before the server is scheduled.
const MOST_WAITING: u32 = 4096;

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
        let socket = TcpSocket::new_v4()?;
        // As `TcpListener::bind` does: the port of a server that has just ended may be had again.
        socket.set_reuseaddr(true)?;
        socket.bind((Ipv4Addr::LOCALHOST, port).into())?;
        let listener = socket.listen(MOST_WAITING)?;
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
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let app = Router::new()
            .route("/", get(runs::home))
            .route("/api/runs", get(runs::list))
            .route("/report", get(runs::report))
            .route("/case/{run}/{case}", get(cases::case))
            .route("/api/session/{run}/{case}", get(cases::session))
            .route("/vis/{run}/{case}", get(drawn::drawn))
            .route("/board", get(games::board))
            .route("/articles", get(games::articles))
            .route("/api/analysis", post(games::analysis))
            .route("/api/game", get(games::game))
            .route("/api/strategy", get(strategies::strategy))
            // The page says in its reader's language that there is none.
            .fallback(async || page(Err(Failure::absent(""))))
            .with_state(self.shared)
            .layer(DefaultBodyLimit::max(MOST_BYTES))
            .layer(from_fn_with_state(self.address, guard));
        connections::serve(self.listener, app, stop).await;
    }
}

/// Whether a request means this server, by name and by origin.
fn is_meant(address: SocketAddr, headers: &HeaderMap) -> bool {
    let port = format!(":{}", address.port());
    let is_ours = |host: &str| {
        // Port 80 goes without saying.
        let unsaid = Some(host).filter(|_| address.port() == 80);
        let name = host.strip_suffix(&port).or(unsaid);
        let ours = ["127.0.0.1", "localhost"].iter();
        name.is_some_and(|name| ours.clone().any(|own| own.eq_ignore_ascii_case(name)))
    };
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

/// The request with its whole body, or why there is none. From now on it is being answered.
async fn whole(request: Request) -> Result<(Request, Option<Answering>), Response> {
    let refused = |status: StatusCode, why: String| (status, why).into_response();
    let (parts, body) = request.into_parts();
    let body = match tokio::time::timeout(BODY, to_bytes(body, MOST_BYTES)).await {
        Ok(Ok(body)) => body,
        Ok(Err(_)) => {
            let why = format!("expected a request of at most {MOST_BYTES} bytes\n");
            return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, why));
        }
        Err(_) => {
            let seconds = BODY.as_secs();
            let why = format!("expected the whole request within {seconds} s\n");
            return Err(refused(StatusCode::REQUEST_TIMEOUT, why));
        }
    };
    let answering = parts.extensions.get().map(Activity::answer);
    Ok((Request::from_parts(parts, Body::from(body)), answering))
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
    let (request, _answering) = match whole(request).await {
        Ok(whole) => whole,
        Err(refusal) => return refusal,
    };
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    let value = HeaderValue::from_static;
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, value("nosniff"));
    // A picture stands in a frame of our own pages.
    if !headers.contains_key(header::X_FRAME_OPTIONS) {
        headers.insert(header::X_FRAME_OPTIONS, value("DENY"));
    }
    headers.insert(header::REFERRER_POLICY, value("no-referrer"));
    headers.insert(header::CACHE_CONTROL, value("no-store"));
    headers.insert("cross-origin-resource-policy", value("same-origin"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn port_80_goes_without_saying_and_no_other() {
        let meant = |port: u16, host: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
            is_meant(SocketAddr::from(([127, 0, 0, 1], port)), &headers)
        };
        for host in ["localhost", "127.0.0.1", "localhost:80", "LOCALHOST"] {
            assert!(meant(80, host), "{host}");
        }
        assert!(!meant(80, "localhost:8080") && !meant(80, "example.org"));
        assert!(meant(8123, "localhost:8123") && !meant(8123, "localhost"));
    }
}
