//! Endpoints for rule pages and pictures of positions.

use adoube_diagram::{Board, Marks, Picture, Set};
use adoube_learn::{Page, book, page};
use adoube_notation::Language;
use adoube_protocol::{RuleDiagram, RuleHeading, RuleMark, RulePage};
use adoube_rules::{AnyPosition, Color, Position, Variant};
use axum::{
    Extension, Json,
    extract::{Query, State, rejection::QueryRejection},
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;

use super::{ApiQuery, PathSegment};
use crate::{
    app::{App, Peer},
    error::Error,
    limits::Tenant,
    list_header::list_items,
    listed::variant_of,
};

/// The cache control of pictures, which change only when the program is updated. Browsers request them again
/// after a day.
const CACHE_FOR_A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

#[derive(Debug, Deserialize)]
pub(crate) struct InLanguage {
    language: Option<String>,
}

/// Responds with a rule page for the client. The client makes the boards on the page interactive.
pub(crate) async fn show(
    State(app): State<App>,
    variant: PathSegment,
    ApiQuery(query): ApiQuery<InLanguage>,
    headers: HeaderMap,
) -> Result<Json<RulePage>, Error> {
    let variant = variant_of(variant.text())?;
    let language = query.language.as_deref().and_then(find).unwrap_or_else(|| preferred_language(&headers));
    let html = adoube_pages::prefix_links(page(variant, language).html.clone(), app.config.base_path());
    Ok(Json(rule_page(variant, language, html)))
}

/// Returns a rule page with the given HTML, which is empty for a document that already contains the text.
pub(super) fn rule_page(variant: Variant, language: Language, html: String) -> RulePage {
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

/// Returns the browser's most preferred language among the available ones. If the browser prefers none of
/// them, returns the first one that it does not refuse, or the default if it refuses all.
pub(crate) fn preferred_language(headers: &HeaderMap) -> Language {
    let accepted = list_items(headers, &header::ACCEPT_LANGUAGE);
    let mut languages: Vec<(&str, f32)> = accepted.filter_map(read_accepted).collect();
    // The sort is stable, so it keeps the order of languages with equal quality.
    languages.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let named: Vec<Language> = languages.iter().filter_map(|(tag, _)| find(tag)).collect();
    let other = || Language::ALL.into_iter().find(|language| !named.contains(language));
    // A quality of 0 refuses a language.
    let accepted = languages.into_iter().filter(|(_, quality)| *quality > 0.0);
    let mut accepted = accepted.filter_map(|(tag, _)| if tag == "*" { other() } else { find(tag) });
    accepted.next().or_else(other).unwrap_or_default()
}

/// Parses an entry of `Accept-Language`, such as `fr-CA; q=0.8`, into its tag and quality.
fn read_accepted(entry: &str) -> Option<(&str, f32)> {
    let mut parts = entry.split(';').map(str::trim);
    let tag = parts.next()?;
    let quality = parts.find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim_end().eq_ignore_ascii_case("q").then(|| value.trim_start())
    });
    let quality = quality.map_or(Some(1.0), |value| value.parse().ok())?;
    (0.0..=1.0).contains(&quality).then_some((tag, quality))
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
    /// The name of a set of men. If it is empty, the variant's default is used.
    #[serde(default, alias = "set")]
    men: String,
    /// The name of a board. If it is empty, the default is used.
    #[serde(default)]
    board: String,
    #[serde(default)]
    flip: bool,
    #[serde(default)]
    plain: bool,
    width: Option<u32>,
}

impl DiagramQuery {
    fn picture(&self) -> Result<Picture, Error> {
        let invalid = |error: &dyn std::error::Error| Error::Diagram(error.to_string());
        let variant = variant_of(&self.variant)?;
        let position = match &self.fen {
            None => AnyPosition::initial(variant),
            Some(fen) => AnyPosition::from_fen_lenient(variant, fen).map_err(|error| invalid(&error))?.0,
        };
        let marks: Marks = self.marks.parse().map_err(|error| invalid(&error))?;
        let set = match self.men.as_str() {
            "" => Set::of(variant),
            name => name.parse().map_err(|error| invalid(&error))?,
        };
        let board = match self.board.as_str() {
            "" => Board::default(),
            name => name.parse().map_err(|error| invalid(&error))?,
        };
        let width = self.width.unwrap_or(400);
        if !Picture::WIDTHS.contains(&width) {
            let (min, max) = Picture::WIDTHS.into_inner();
            return Err(Error::Diagram(format!("width must be a number from {min} to {max}")));
        }
        Ok(Picture {
            marks,
            set,
            board,
            width,
            orientation: if self.flip { Color::Black } else { Color::White },
            coordinates: !self.plain,
            ..Picture::of(position)
        })
    }
}

/// Responds with a position as SVG.
pub(crate) async fn diagram(query: Result<Query<DiagramQuery>, QueryRejection>) -> Result<Response, Error> {
    let Query(query) = query.map_err(|error| Error::Diagram(error.body_text()))?;
    Ok(drawing("image/svg+xml", query.picture()?.svg()))
}

/// Responds with a position as a PNG for link previews. The size is fixed: `width` must be valid, but has no
/// effect.
pub(crate) async fn preview(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    query: Result<Query<DiagramQuery>, QueryRejection>,
) -> Result<Response, Error> {
    let Query(query) = query.map_err(|error| Error::Diagram(error.body_text()))?;
    let picture = query.picture()?;
    let draw = move || picture.card().map_err(|_| Error::Internal("a picture cannot be drawn"));
    let card = app.studies.work.run(Tenant::at(peer.address), draw).await?;
    Ok(drawing("image/png", card))
}

fn drawing(kind: &'static str, body: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, CACHE_FOR_A_DAY),
        // Other sites, such as forums, may embed the pictures.
        (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin")),
    ];
    (headers, body).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_with_the_highest_quality_is_preferred() {
        for (accepted, expected) in [
            ("", Language::French),
            ("de, ja", Language::French),
            ("en", Language::English),
            ("EN-gb,fr", Language::English),
            ("fr;q=0.5,es;q=0.9", Language::Spanish),
            ("fr; q=0.5, es; q=0.9, en ;Q = 0.7", Language::Spanish),
            ("fr ; q=0.1 , en;q=0.2", Language::English),
            ("fr;level=1;q=0.1, es;q=0.2", Language::Spanish),
            // Languages that are refused.
            ("fr;q=0, en;q=0.1", Language::English),
            ("fr; q=0.000, de", Language::Spanish),
            ("fr;q=0, es;q=0", Language::English),
            ("fr;q=0, es;q=0, en;q=0", Language::French),
            // Any language that is not named.
            ("*", Language::French),
            ("fr;q=0.1, *;q=0.5, es;q=0.4", Language::English),
            ("en, *;q=0.5", Language::English),
            // Entries that cannot be read are ignored.
            ("es;q=NaN, fr;q=2, en;q=-1, en;q=0.3", Language::English),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
            assert_eq!(preferred_language(&headers), expected, "{accepted:?}");
        }
        // The header may occur more than once.
        let mut headers = HeaderMap::new();
        for accepted in ["fr;q=0.1", "es"] {
            headers.append(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
        }
        assert_eq!(preferred_language(&headers), Language::Spanish);
    }
}
