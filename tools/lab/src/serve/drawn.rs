//! The picture that a contest's visualizer drew of a case, for the frame of a page.
//!
//! It is not ours. Wherever it is opened, it has no origin, and so reaches nothing of this server; it may run its own
//! scripts, and may load nothing.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use tester::store::History;
use tester::store::pictures::{fitted, picture_of};
use tester::util::bounded_read;

use super::answer::{Failure, away, page};
use super::cases::{no_case, number};
use super::shared::Shared;

/// A larger picture is not sent.
const LARGEST: u64 = 64 << 20;

/// What a browser lets a picture do.
const POLICY: &str = "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      img-src data: blob:; font-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'";

pub(super) async fn drawn(
    State(shared): State<Arc<Shared>>,
    Path((run, case)): Path<(String, String)>,
) -> Response {
    let read = away(move || {
        let history = History::open_existing(&shared.history)?;
        let run = history.find(&run)?;
        let id = number(&case)?;
        let folder = run.folder.as_deref();
        let file = folder.and_then(|folder| picture_of(folder, id));
        let file = file.ok_or_else(|| no_case(&run, id))?;
        let bytes = bounded_read::read(&file, LARGEST).map_err(Failure::wrong)?;
        let is_svg = file
            .extension()
            .is_some_and(|suffix| suffix.eq_ignore_ascii_case("svg"));
        let bytes = match is_svg {
            true => bytes,
            false => fitted(&String::from_utf8_lossy(&bytes)).into_bytes(),
        };
        Ok((bytes, is_svg))
    });
    match read.await {
        Err(failure) => page(Err(failure)),
        Ok((bytes, is_svg)) => {
            let kind = if is_svg {
                "image/svg+xml"
            } else {
                "text/html; charset=utf-8"
            };
            let headers = [
                (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
                (
                    header::CONTENT_SECURITY_POLICY,
                    HeaderValue::from_static(POLICY),
                ),
                (
                    header::X_FRAME_OPTIONS,
                    HeaderValue::from_static("SAMEORIGIN"),
                ),
            ];
            (headers, bytes).into_response()
        }
    }
}
