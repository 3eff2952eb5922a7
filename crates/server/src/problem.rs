//! Errors of requests as `application/problem+json` (RFC 9457): what is wrong, where in the input,
//! and what to do.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use sixproof_solve::failure::Failure;

/// The answer to a request that failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(crate) struct Problem {
    /// The status of the answer.
    pub(crate) status: u16,
    /// What was wrong.
    pub(crate) title: String,
    /// What to do.
    pub(crate) help: Option<String>,
    /// The line of the input with a caret below.
    #[serde(rename = "where")]
    pub(crate) place: Option<String>,
    /// The kind of problem, for clients that show it in another language; some problems have none.
    pub(crate) kind: Option<ProblemKind>,
    /// The text that is there now, where an edit would have replaced another one (`text-changed`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) present: Option<String>,
}

/// The kinds of problems that the page can meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ProblemKind {
    CertificateRejected,
    CertificateUnreadable,
    DocumentFull,
    DocumentGone,
    Empty,
    GameOver,
    Internal,
    JobEnded,
    JobGone,
    JobRuns,
    JobsFull,
    LimitOutOfRange,
    MoveIncomplete,
    NewerVersion,
    NoCertificate,
    NoMove,
    NoPosition,
    NodeGone,
    NothingToRedo,
    NothingToUndo,
    OtherGame,
    OtherRules,
    Root,
    SquareTaken,
    TextChanged,
    TokenNeeded,
    TooLarge,
    TooManyStones,
    UnknownFormat,
    UnknownGame,
    UnknownPosition,
    Unreadable,
}

/// An answer, or the problem in its place.
pub(crate) type ApiResult<T> = Result<T, Problem>;

impl Problem {
    pub(crate) fn new(status: StatusCode, title: impl Into<String>) -> Problem {
        Problem {
            status: status.as_u16(),
            title: title.into(),
            help: None,
            place: None,
            kind: None,
            present: None,
        }
    }

    /// The request cannot be understood, or asks for something impossible.
    pub(crate) fn bad(title: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, title)
    }

    /// There is no such thing.
    pub(crate) fn missing(title: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, title)
    }

    /// The request does not fit the present state.
    pub(crate) fn conflict(title: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, title)
    }

    /// The content cannot be read.
    pub(crate) fn unreadable(failure: &Failure) -> Problem {
        Problem {
            status: StatusCode::UNPROCESSABLE_ENTITY.as_u16(),
            title: failure.message().to_string(),
            help: failure.advice().map(str::to_string),
            place: failure.excerpt(),
            kind: Some(ProblemKind::Unreadable),
            present: None,
        }
    }

    /// The server failed: a disk, a thread.
    pub(crate) fn internal(title: impl Into<String>) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, title).kind(ProblemKind::Internal)
    }

    #[must_use]
    pub(crate) fn kind(mut self, kind: ProblemKind) -> Problem {
        self.kind = Some(kind);
        self
    }

    #[must_use]
    pub(crate) fn help(mut self, help: impl Into<String>) -> Problem {
        self.help = Some(help.into());
        self
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Problem {
        Problem::unreadable(&failure)
    }
}

impl From<sixproof_store::Error> for Problem {
    fn from(error: sixproof_store::Error) -> Problem {
        let problem = Problem::internal(error.to_string());
        match error.help() {
            Some(help) => problem.help(help),
            None => problem,
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::BAD_REQUEST);
        let mut response = (status, Json(self)).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        response
    }
}
