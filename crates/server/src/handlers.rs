//! The HTTP API.

pub(crate) mod accounts;
pub(crate) mod administration;
pub(crate) mod analyses;
pub(crate) mod composed;
pub(crate) mod drills;
pub(crate) mod games;
pub(crate) mod hall;
pub(crate) mod identity;
pub(crate) mod operator;
pub(crate) mod pages;
pub(crate) mod privacy;
pub(crate) mod problems;
pub(crate) mod push;
pub(crate) mod rules;
pub(crate) mod standings;

use std::str::FromStr;

use adoube_protocol::{GameSettings, Millis};
use axum::{
    Json,
    extract::{FromRequest, FromRequestParts, Path, Query, Request, rejection::JsonRejection},
    http::request::Parts,
};
use serde::de::DeserializeOwned;

use crate::{app::App, error::Error};

/// The size of a new game on disk, in bytes, including its rows in all tables. The measured size is 1.7 KB.
pub(crate) const GAME_BYTES: usize = 2_000;

/// The size on disk of a small row, such as a seek, a challenge or an attempt at a problem, in bytes.
pub(crate) const ROW_BYTES: usize = 500;

/// Returns the number of creations to charge for a request: one for each game of the match, or one if it asks
/// for a single game.
pub(crate) fn games_of(settings: &GameSettings) -> u8 {
    settings.games.unwrap_or(1).max(1)
}

/// A variable segment of a path. A segment that is not UTF-8 is refused with 404.
#[derive(Debug)]
pub(crate) struct PathSegment(String);

impl PathSegment {
    /// Parses the segment as an id. Fails with `missing` if it is not an id.
    pub(crate) fn id<T: FromStr>(&self, missing: Error) -> Result<T, Error> {
        self.0.parse().map_err(|_| missing)
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathSegment {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let path = Path::<String>::from_request_parts(parts, state).await;
        path.map(|Path(text)| Self(text)).map_err(|_| Error::NotFound)
    }
}

/// Two variable segments of a path. A segment that is not UTF-8 is refused with 404.
#[derive(Debug)]
pub(crate) struct TwoSegments(pub(crate) PathSegment, pub(crate) PathSegment);

impl<S: Send + Sync> FromRequestParts<S> for TwoSegments {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        path.map(|Path((one, other))| Self(PathSegment(one), PathSegment(other))).map_err(|_| Error::NotFound)
    }
}

/// The parsed query of a request.
#[derive(Debug)]
pub(crate) struct ApiQuery<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for ApiQuery<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query.map(|Query(parsed)| Self(parsed)).map_err(|error| Error::Message(error.body_text()))
    }
}

/// Parses a cursor of the form `TIME-ID`, with the time in milliseconds since 1970.
pub(crate) fn cursor<T: FromStr>(text: &str) -> Result<(Millis, T), Error> {
    let parts = text.split_once('-').and_then(|(at, id)| Some((Millis(at.parse().ok()?), id.parse().ok()?)));
    parts.ok_or(Error::Cursor)
}

/// Returns a request body that may be larger than most. The error for a body that is too large states this
/// limit instead of the usual one.
pub(crate) fn large_body<T>(body: Result<JsonBody<T>, Error>, limit: usize) -> Result<T, Error> {
    match body {
        Ok(JsonBody(body)) => Ok(body),
        Err(Error::TooLarge(_)) => Err(Error::TooLarge(limit)),
        Err(other) => Err(other),
    }
}

/// The parsed JSON body of a request.
#[derive(Debug)]
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<App> for JsonBody<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<Self, Error> {
        let body: Result<Json<T>, JsonRejection> = Json::from_request(request, app).await;
        body.map(|Json(body)| Self(body)).map_err(|rejection| match Error::from(rejection) {
            Error::TooLarge(_) => Error::TooLarge(app.config.limits.message_bytes),
            other => other,
        })
    }
}
