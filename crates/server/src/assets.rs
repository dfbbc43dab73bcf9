//! The built web client, embedded in the binary.
//!
//! The files are compressed with brotli when the server is built, and sent in that form. Other forms are
//! produced for the first client that needs them, and cached. A library for this would also embed the
//! brotli compressor, which is larger than the page.

use std::{
    collections::HashMap,
    io::{self, Write as _},
    sync::LazyLock,
};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use flate2::{Compression, write::GzEncoder};
use tokio::sync::OnceCell;

use crate::list_header::list_items;

/// The content security policy for images, which do not load or execute anything. It is stricter than the
/// policy for pages, and 200 bytes shorter.
const IMAGE_POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// The cache control of files under `/assets/`, whose names change with their content.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// The cache control of the other files. The page refers to files from its own version, so it must not be
/// served from a cache after an update.
const REVALIDATED: HeaderValue = HeaderValue::from_static("no-cache");

/// The files by path. The build script writes the table.
static FILES: LazyLock<HashMap<&str, File>> =
    LazyLock::new(|| HashMap::from(include!(concat!(env!("OUT_DIR"), "/files.rs"))));

/// A file of the client.
struct File {
    content_type: &'static str,
    /// The entity tag. It is weak because the same tag stands for every encoding.
    tag: &'static str,
    /// Whether the embedded content is compressed with brotli. Content that would hardly shrink is embedded
    /// as it is.
    is_compressed: bool,
    embedded: &'static [u8],
    /// The other forms; `None` if the embedded content is damaged.
    plain: OnceCell<Option<Bytes>>,
    gzip: OnceCell<Option<Bytes>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Brotli,
    Gzip,
    Identity,
}

impl File {
    fn new(
        content_type: &'static str,
        tag: &'static str,
        is_compressed: bool,
        embedded: &'static [u8],
    ) -> Self {
        Self {
            content_type,
            tag,
            is_compressed,
            embedded,
            plain: OnceCell::const_new(),
            gzip: OnceCell::const_new(),
        }
    }

    /// Returns the content in an encoding, or `None` if it cannot be converted.
    async fn content(&'static self, encoding: Encoding) -> Option<Bytes> {
        match encoding {
            _ if !self.is_compressed => Some(Bytes::from_static(self.embedded)),
            Encoding::Brotli => Some(Bytes::from_static(self.embedded)),
            Encoding::Gzip => compute_once(&self.gzip, || gzip(self.embedded).ok()).await?,
            Encoding::Identity => compute_once(&self.plain, || decompress(self.embedded).ok()).await?,
        }
    }

    async fn respond(&'static self, headers: &HeaderMap, caching: HeaderValue) -> Response {
        let mut response = Response::new(Body::empty());
        let response_headers = response.headers_mut();
        response_headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        response_headers.insert(header::ETAG, HeaderValue::from_static(self.tag));
        response_headers.insert(header::CACHE_CONTROL, caching);
        if self.content_type.starts_with("image/") {
            response_headers.insert(header::CONTENT_SECURITY_POLICY, IMAGE_POLICY);
        }
        if self.is_compressed {
            response_headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        }
        if list_items(headers, &header::IF_NONE_MATCH).any(|tag| tag == self.tag || tag == "*") {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            return response;
        }
        let encoding = if self.is_compressed { accepted_encoding(headers) } else { Encoding::Identity };
        match encoding {
            Encoding::Brotli => {
                response_headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"))
            }
            Encoding::Gzip => {
                response_headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"))
            }
            Encoding::Identity => None,
        };
        match self.content(encoding).await {
            Some(content) => *response.body_mut() = Body::from(content),
            None => *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR,
        }
        response
    }
}

/// Responds with the client's only page, which chooses its content according to the URL.
pub(crate) async fn page(headers: &HeaderMap) -> Response {
    match file("/index.html", headers).await {
        Some(page) => page,
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Returns a response with one of the client's files, or `None` if no file has this path.
pub(crate) async fn file(path: &str, headers: &HeaderMap) -> Option<Response> {
    let caching = if path.starts_with("/assets/") { IMMUTABLE } else { REVALIDATED };
    Some(FILES.get(path)?.respond(headers, caching).await)
}

/// Returns the encoding that makes the content smallest, out of those that the client accepts.
fn accepted_encoding(headers: &HeaderMap) -> Encoding {
    let mut accepted = Encoding::Identity;
    for value in list_items(headers, &header::ACCEPT_ENCODING) {
        let (name, parameters) = value.split_once(';').unwrap_or((value, ""));
        let weight = parameters.trim().strip_prefix("q=").map_or(Ok(1.0), str::parse::<f32>);
        // A weight of 0 refuses an encoding. The others only express a preference.
        if weight.is_ok_and(|weight| weight <= 0.0) {
            continue;
        }
        match name.trim() {
            "br" => return Encoding::Brotli,
            "gzip" => accepted = Encoding::Gzip,
            _ => {}
        }
    }
    accepted
}

fn decompress(content: &[u8]) -> io::Result<Bytes> {
    let mut plain = Vec::new();
    brotli_decompressor::BrotliDecompress(&mut &*content, &mut plain)?;
    Ok(plain.into())
}

/// Converts a file's content from brotli to gzip.
fn gzip(content: &[u8]) -> io::Result<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&decompress(content)?)?;
    encoder.finish().map(Bytes::from)
}

/// Returns the value of the cell, or `None` if its computation panics. The first caller starts the
/// computation on a blocking thread. It continues if that caller is dropped, so clients that disconnect early
/// cannot restart it repeatedly.
async fn compute_once<T: Clone + Send + Sync>(
    cell: &'static OnceCell<T>,
    compute: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    if let Some(value) = cell.get() {
        return Some(value.clone());
    }
    let value = tokio::spawn(cell.get_or_try_init(async || tokio::task::spawn_blocking(compute).await));
    value.await.ok()?.ok().cloned()
}

#[cfg(test)]
mod tests {
    use std::{
        io::Read as _,
        sync::{
            atomic::{AtomicUsize, Ordering},
            mpsc,
        },
    };

    use flate2::read::GzDecoder;

    use super::*;

    #[tokio::test]
    async fn a_file_is_converted_once_even_if_the_first_request_is_dropped() {
        static CELL: OnceCell<&str> = OnceCell::const_new();
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let (started, has_started) = tokio::sync::oneshot::channel();
        let (resume, resumed) = mpsc::channel::<()>();
        let first = tokio::spawn(compute_once(&CELL, move || {
            MADE.fetch_add(1, Ordering::SeqCst);
            started.send(()).expect("the test is still waiting for the start");
            resumed.recv().expect("the test lets the work continue");
            "first"
        }));
        has_started.await.expect("the first request starts the work");
        first.abort();
        assert!(first.await.is_err());
        let second = tokio::spawn(compute_once(&CELL, || {
            MADE.fetch_add(1, Ordering::SeqCst);
            "second"
        }));
        resume.send(()).expect("the work is still in progress");
        assert_eq!(second.await.expect("the second request is not dropped"), Some("first"));
        assert_eq!(MADE.load(Ordering::SeqCst), 1);
    }

    fn accepting(encodings: &[&'static str]) -> HeaderMap {
        encodings.iter().map(|&value| (header::ACCEPT_ENCODING, HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn the_smallest_accepted_encoding_is_chosen() {
        for (encodings, expected) in [
            (&[][..], Encoding::Identity),
            (&["gzip, deflate, br, zstd"], Encoding::Brotli),
            (&["gzip;q=1.0, br;q=0.5"], Encoding::Brotli),
            (&["gzip, deflate"], Encoding::Gzip),
            (&["deflate", "gzip"], Encoding::Gzip),
            (&["br;q=0, gzip; q=0.1"], Encoding::Gzip),
            (&["gzip;q=0.000, br;q=0"], Encoding::Identity),
            (&["identity"], Encoding::Identity),
            (&["*"], Encoding::Identity),
            (&["gzip;q=x, broken"], Encoding::Gzip),
        ] {
            assert_eq!(accepted_encoding(&accepting(encodings)), expected, "{encodings:?}");
        }
    }

    #[tokio::test]
    async fn every_file_has_the_same_content_in_every_encoding() {
        assert!(FILES.contains_key("/index.html"));
        for (path, file) in FILES.iter() {
            let plain = file.content(Encoding::Identity).await.expect("the file can be converted");
            assert!(!plain.is_empty(), "{path}");
            assert_eq!(plain.len() > file.embedded.len(), file.is_compressed, "{path}");
            let Some(gzipped) = file.is_compressed.then_some(file.content(Encoding::Gzip)) else { continue };
            let gzipped = gzipped.await.expect("the file can be converted");
            let mut unpacked = Vec::new();
            GzDecoder::new(&*gzipped).read_to_end(&mut unpacked).expect("valid gzip");
            assert_eq!(unpacked, plain, "{path}");
        }
    }

    #[tokio::test]
    async fn a_known_file_is_not_sent_again() {
        let first = page(&accepting(&["gzip"])).await;
        assert_eq!(first.status(), StatusCode::OK);
        let tag = first.headers()[header::ETAG].clone();
        assert_eq!(first.headers()[header::CACHE_CONTROL], "no-cache");
        let second = page(&HeaderMap::from_iter([(header::IF_NONE_MATCH, tag)])).await;
        assert_eq!(second.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(second.headers()[header::ETAG], first.headers()[header::ETAG]);
        let other = HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::from_static("\"other\""))]);
        assert_eq!(page(&other).await.status(), StatusCode::OK);
        assert!(file("/none", &HeaderMap::new()).await.is_none());
    }
}
