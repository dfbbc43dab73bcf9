//! The rule pages, and pictures of positions.

use std::sync::OnceLock;

use adoube_diagram::{Board, Marks, Picture, Set};
use adoube_learn::{Page, book, page};
use adoube_notation::Language;
use adoube_protocol::{RuleDiagram, RuleHeading, RuleMark, RulePage};
use adoube_rules::{AnyPosition, Color, Position, Variant};
use axum::{
    Json,
    extract::{Query, Request, rejection::QueryRejection},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::Value;

use super::{ApiQuery, PathSegment};
use crate::{assets, error::Error, listed::variant_of};

/// Pictures and pages change only with the program; browsers ask again after a day.
const A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

#[derive(Debug, Deserialize)]
pub(crate) struct InLanguage {
    language: Option<String>,
}

/// Answers with a rule page for the client, which makes its boards interactive.
pub(crate) async fn show(
    variant: PathSegment,
    ApiQuery(asked): ApiQuery<InLanguage>,
    headers: HeaderMap,
) -> Result<Json<RulePage>, Error> {
    let variant = variant_of(variant.text())?;
    let language = asked.language.as_deref().and_then(find).unwrap_or_else(|| preferred(&headers));
    Ok(Json(rule_page(variant, language, page(variant, language).html.clone())))
}

/// Returns the page with the given text, which is empty if the document already contains it.
fn rule_page(variant: Variant, language: Language, html: String) -> RulePage {
    let Page { title, contents, diagrams, .. } = page(variant, language);
    let shown = diagrams.iter().filter_map(|name| Some((name, book(variant).get(name)?)));
    let diagrams = shown.map(|(name, diagram)| {
        let marks = diagram.marks.0.iter().map(|mark| RuleMark {
            brush: mark.brush.letter(),
            from: mark.from.to_string(),
            to: mark.to.to_string(),
        });
        (name.clone(), RuleDiagram { fen: diagram.position.fen(), marks: marks.collect() })
    });
    let heading = |(id, text): &(String, String)| RuleHeading { id: id.clone(), text: text.clone() };
    RulePage {
        variant: variant.name().to_owned(),
        language: language.code().to_owned(),
        title: title.clone(),
        html,
        contents: contents.iter().map(heading).collect(),
        diagrams: diagrams.collect(),
    }
}

/// Answers with the rule page for readers without scripts, embedded in the client's page, which replaces it
/// if scripts run. The document contains all data that the client would otherwise request, and names the
/// files that it needs next.
pub(crate) async fn document(variant: PathSegment, request: Request) -> Response {
    let language = preferred(request.headers());
    let Ok(variant) = variant.text().parse::<Variant>() else {
        let mut response = assets::page(request).await;
        *response.status_mut() = StatusCode::NOT_FOUND;
        return response;
    };
    let Some(shell) = shell().await else { return assets::page(request).await };
    let Page { title, html, .. } = page(variant, language);
    let Ok(data) = serde_json::to_string(&rule_page(variant, language, String::new())) else {
        return Error::Internal("a rule page cannot be serialized").into_response();
    };
    // In a data script, only the end tag is special.
    let data = data.replace('<', "\\u003c");
    let main = format!(
        "<div id=\"app\"><main class=\"plain\"><h1>{title}</h1><article class=\"rules\">{html}</article></main>\
         <script type=\"application/json\" id=\"rule-page\">{data}</script></div>"
    );
    let text = shell
        .replacen("<div id=\"app\"></div>", &main, 1)
        .replacen("lang=\"fr\"", &format!("lang=\"{language}\""), 1)
        .replacen("<title>adoube</title>", &format!("<title>{title} · adoube</title>"), 1)
        .replacen("</head>", &format!("{}</head>", early(language).await), 1);
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::VARY, HeaderValue::from_static("accept-language")),
    ];
    (headers, text).into_response()
}

/// Returns preload links for what the client would otherwise request only once its script runs: the sentences
/// of the language and the rules module. Empty if the client is not built.
async fn early(language: Language) -> String {
    static CHUNKS: OnceLock<Value> = OnceLock::new();
    if CHUNKS.get().is_none() {
        let text = text_of("/chunks.json").await;
        let _ = CHUNKS.set(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default());
    }
    let link = |source: &str, what: &str| {
        let file = CHUNKS.get()?.get(source)?.get("file")?.as_str()?;
        Some(format!("<link {what} crossorigin href=\"/{file}\">"))
    };
    let sentences = link(&format!("src/lib/i18n/{language}.ts"), "rel=\"modulepreload\"");
    let module = link("src/lib/wasm/adoube_wasm_bg.wasm", "rel=\"preload\" as=\"fetch\"");
    sentences.into_iter().chain(module).collect()
}

/// Returns the client's page as text, read once.
async fn shell() -> Option<&'static str> {
    static SHELL: OnceLock<Option<String>> = OnceLock::new();
    if SHELL.get().is_none() {
        let text = text_of("/").await;
        let _ = SHELL.set(text.filter(|text| text.contains("<div id=\"app\"></div>")));
    }
    SHELL.get()?.as_deref()
}

/// Returns a file of the client, if it exists and is text.
async fn text_of(path: &'static str) -> Option<String> {
    // Without an `Accept-Encoding` the answer is not compressed.
    let mut request = Request::new(axum::body::Body::empty());
    *request.uri_mut() = Uri::from_static(path);
    let response = assets::file(request).await;
    if !response.status().is_success() {
        return None;
    }
    let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.ok()?;
    String::from_utf8(bytes.into()).ok()
}

/// Returns the first available language that a browser prefers, or French.
pub(crate) fn preferred(headers: &HeaderMap) -> Language {
    let accepted =
        headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let mut wanted: Vec<(&str, f32)> = accepted
        .split(',')
        .filter_map(|entry| {
            let (tag, quality) = entry.split_once(";q=").unwrap_or((entry, "1"));
            Some((tag.trim(), quality.trim().parse().ok()?))
        })
        .collect();
    // Browsers send them sorted; a stable sort keeps the order of equals.
    wanted.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    wanted.into_iter().find_map(|(tag, _)| find(tag)).unwrap_or_default()
}

/// Returns the language of a tag such as `fr` or `fr-CA`.
fn find(tag: &str) -> Option<Language> {
    let first = tag.split('-').next().unwrap_or_default();
    Language::ALL.into_iter().find(|language| language.code().eq_ignore_ascii_case(first))
}

#[derive(Debug, Deserialize)]
pub(crate) struct DiagramQuery {
    variant: String,
    fen: Option<String>,
    #[serde(default)]
    marks: String,
    /// A set of men; the default of the variant if empty.
    #[serde(default, alias = "set")]
    men: String,
    /// A board; the default if empty.
    #[serde(default)]
    board: String,
    #[serde(default)]
    flip: bool,
    #[serde(default)]
    plain: bool,
    width: Option<u32>,
}

/// Answers with a position as SVG.
pub(crate) async fn diagram(wanted: Result<Query<DiagramQuery>, QueryRejection>) -> Result<Response, Error> {
    let Query(wanted) = wanted.map_err(|error| Error::Diagram(error.body_text()))?;
    let invalid = |error: &dyn std::error::Error| Error::Diagram(error.to_string());
    let variant = variant_of(&wanted.variant)?;
    let position = match &wanted.fen {
        None => AnyPosition::initial(variant),
        Some(fen) => AnyPosition::from_fen_lenient(variant, fen).map_err(|error| invalid(&error))?.0,
    };
    let marks: Marks = wanted.marks.parse().map_err(|error| invalid(&error))?;
    let set = match wanted.men.as_str() {
        "" => Set::of(variant),
        name => name.parse().map_err(|error| invalid(&error))?,
    };
    let board = match wanted.board.as_str() {
        "" => Board::default(),
        name => name.parse().map_err(|error| invalid(&error))?,
    };
    let width = wanted.width.unwrap_or(400);
    if !Picture::WIDTHS.contains(&width) {
        let (min, max) = Picture::WIDTHS.into_inner();
        return Err(Error::Diagram(format!("width must be a number from {min} to {max}")));
    }
    let picture = Picture {
        marks,
        set,
        board,
        width,
        orientation: if wanted.flip { Color::Black } else { Color::White },
        coordinates: !wanted.plain,
        ..Picture::of(position)
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("image/svg+xml")),
        (header::CACHE_CONTROL, A_DAY),
        // Other sites, such as forums, may embed it.
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin")),
    ];
    Ok((headers, picture.svg()).into_response())
}
