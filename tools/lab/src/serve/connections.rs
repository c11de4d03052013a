//! The connections of the server: how many there may be, and for how long a client may keep one waiting.
//!
//! A client that opens connections and sends half a request must not shut others out. So each new connection is
//! taken, and where there are too many, the one that has been silent for the longest is closed for it.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::AbortHandle;

/// The most connections. A browser has six; each is a descriptor, and answers open files too.
const MOST: usize = 100;
/// How long a client may take to send the headers of a request, after the last answer too.
const HEADERS: Duration = Duration::from_secs(5);
/// How long a client may take to send the body of a request.
pub(super) const BODY: Duration = Duration::from_secs(5);
/// How long a connection may be without a whole request: an answer of which nothing is read for so long is given up.
const SILENCE: Duration = Duration::from_secs(30);
/// How often connections are looked at that are silent.
const LOOK: Duration = Duration::from_secs(5);
/// So long an answer that is under way may take once we are to end.
const PATIENCE: Duration = Duration::from_secs(1);

/// What a client is doing.
#[derive(Clone)]
pub(super) struct Activity(Arc<Known>);

struct Known {
    /// Whether a whole request of it is being answered.
    is_answered: AtomicBool,
    /// Since when it is, or is not.
    since: Mutex<Instant>,
}

/// As long as this lives, a whole request is being answered.
pub(super) struct Answering(Activity);

impl Activity {
    fn new() -> Self {
        Self(Arc::new(Known {
            is_answered: AtomicBool::new(false),
            since: Mutex::new(Instant::now()),
        }))
    }

    fn set(&self, is_answered: bool) {
        self.0.is_answered.store(is_answered, Ordering::Relaxed);
        self.renew();
    }

    /// Bytes of an answer were taken.
    fn renew(&self) {
        *self.0.since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
    }

    /// The whole request is here.
    pub(super) fn answer(&self) -> Answering {
        self.set(true);
        Answering(self.clone())
    }

    /// For how long it has been silent; `None` while it is being answered.
    fn silence(&self) -> Option<Duration> {
        let since = *self.0.since.lock().unwrap_or_else(PoisonError::into_inner);
        (!self.0.is_answered.load(Ordering::Relaxed)).then(|| since.elapsed())
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.set(false);
    }
}

/// A connection that is not silent while its client reads.
struct Watched(TcpStream, Activity);

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(context, buffer)
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.0).poll_write(context, bytes);
        if matches!(written, Poll::Ready(Ok(1..))) {
            self.1.renew();
        }
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}

/// The connections that are open.
#[derive(Default)]
struct Connections {
    open: Vec<(Activity, AbortHandle)>,
}

impl Connections {
    /// Closes what has been silent for too long, and forgets what has ended.
    fn look(&mut self) {
        self.open.retain(|(activity, task)| {
            if activity.silence().is_some_and(|silent| silent > SILENCE) {
                task.abort();
            }
            !task.is_finished()
        });
    }

    /// Closes the connection that has been silent for the longest; `false` if all are being answered.
    fn close_one(&mut self) -> bool {
        let silent = self.open.iter().enumerate();
        let silent = silent.filter_map(|(at, (activity, _))| Some((activity.silence()?, at)));
        let Some((_, at)) = silent.max() else {
            return false;
        };
        self.open.swap_remove(at).1.abort();
        true
    }

    fn add(&mut self, stream: TcpStream, app: &Router, graceful: &GracefulShutdown) {
        if self.open.len() >= MOST {
            self.look();
        }
        // If all are being answered, the new one is closed.
        if self.open.len() >= MOST && !self.close_one() {
            return;
        }
        let activity = Activity::new();
        let (known, app) = (activity.clone(), TowerToHyperService::new(app.clone()));
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(known.clone());
            app.call(request)
        });
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEADERS)
            .serve_connection(TokioIo::new(Watched(stream, activity.clone())), service);
        let connection = graceful.watch(connection);
        // A client that says nothing, or nonsense, is no failure of ours.
        let task = tokio::spawn(async move { drop(connection.await) });
        self.open.push((activity, task.abort_handle()));
    }
}

/// Answers connections until `stop` is done. Then running answers get a moment to finish; a client that keeps us
/// waiting gets no longer.
pub(super) async fn serve(listener: TcpListener, app: Router, stop: impl Future<Output = ()>) {
    let graceful = GracefulShutdown::new();
    let mut connections = Connections::default();
    let mut look = tokio::time::interval(LOOK);
    let mut stop = std::pin::pin!(stop);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => connections.add(stream, &app, &graceful),
                Err(error) => recover(&mut connections, &error).await,
            },
            _ = look.tick() => connections.look(),
            () = &mut stop => break,
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(PATIENCE, graceful.shutdown()).await;
}

/// After a connection that could not be taken: where descriptors are few, a silent one is given up for the next.
async fn recover(connections: &mut Connections, error: &io::Error) {
    let of_the_client = [
        io::ErrorKind::ConnectionAborted,
        io::ErrorKind::ConnectionReset,
        io::ErrorKind::ConnectionRefused,
    ];
    if !of_the_client.contains(&error.kind()) {
        connections.look();
        connections.close_one();
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
