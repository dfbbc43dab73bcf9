//! Endpoints for the client's page, filled with content for readers without JavaScript, and for the files
//! that search engines read.

use std::{sync::LazyLock, time::Duration};

use adoube_game::{EndReason, Ending, Game, GameResult, Seat};
use adoube_notation::Language;
use adoube_pages::{
    ComposedProblem, Document, GameFacts, InvitationState, ScriptedPage, SeatFacts, Shell, Site,
    language_of_path,
};
use adoube_protocol::{GameId, InvitationToken, ProblemId};
use adoube_rules::{AnyPosition, Color, Variant};
use axum::{
    Extension,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, Uri, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::rules::{preferred_language, rule_page};
use crate::{
    app::{App, Peer},
    assets,
    auth::Visitor,
    error::{Error, LogError},
    limits::Resource,
    list_header::list_items,
    wire::PlayerNames,
};

/// The time limit for finding a page's content in the database. When it is exceeded, the client's page is
/// sent without content, because its script can report that the database does not respond, and retry.
const FIND_TIMEOUT: Duration = Duration::from_secs(2);

/// The cache control of sitemaps and `robots.txt`, which change only with the program or its settings.
const CACHE_FOR_A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// The segments of a path, excluding the language.
type Segments<'a> = [&'a str];

/// Responds with a page of the client.
pub(crate) async fn show(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    visitor: Option<Extension<Visitor>>,
    request: Request,
) -> Response {
    let visitor = visitor.map(|Extension(visitor)| visitor);
    let page_request = PageRequest::new(request.uri(), request.headers());
    let path = page_request.path.trim_matches('/').to_owned();
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let by = visitor.as_ref().map(|visitor| (&peer, visitor));
    let finding = tokio::time::timeout(FIND_TIMEOUT, find(&app, by, page_request.language, &segments));
    match finding.await {
        Ok(Ok(found)) => respond(&app, &page_request, request.headers(), found).await,
        Ok(Err(error)) => {
            tracing::debug!(%error, "sent a page without its content");
            client_page(&app, request.headers()).await
        }
        Err(_) => client_page(&app, request.headers()).await,
    }
}

/// Responds with one of the client's files, or with the page for unknown URLs if the file does not exist.
pub(crate) async fn file(State(app): State<App>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    // The bare page is only a template for documents, so it is not served as a file.
    if parts.uri.path() != "/index.html"
        && let Some(response) = assets::file(parts.uri.path(), &parts.headers).await
    {
        return response;
    }
    let page_request = PageRequest::new(&parts.uri, &parts.headers);
    respond(
        &app,
        &page_request,
        &parts.headers,
        PageResponse::missing(adoube_pages::missing(page_request.language)),
    )
    .await
}

/// Responds with the client's page without content.
async fn client_page(app: &App, headers: &HeaderMap) -> Response {
    match (app.config.base_path(), shell()) {
        ("", _) | (_, None) => assets::page(headers).await,
        (path, Some(shell)) => {
            ([(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))], Html(shell.bare(path)))
                .into_response()
        }
    }
}

/// Redirects from `/fr` to `/fr/`.
pub(crate) async fn redirect_to_language(State(app): State<App>, uri: Uri) -> Redirect {
    Redirect::permanent(&format!("{}{}/", app.config.base_path(), uri.path()))
}

pub(crate) async fn robots(State(app): State<App>, headers: HeaderMap) -> Response {
    let text = adoube_pages::robots(&site(&app, &headers));
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], [(header::CACHE_CONTROL, CACHE_FOR_A_DAY)], text)
        .into_response()
}

pub(crate) async fn sitemap_index(State(app): State<App>, headers: HeaderMap) -> Response {
    xml(adoube_pages::sitemap_index(&site(&app, &headers).address))
}

/// Responds with the sitemap of the language in the path, such as `/sitemap-fr.xml`.
pub(crate) async fn sitemap(State(app): State<App>, uri: Uri, headers: HeaderMap) -> Response {
    let code = uri.path().trim_start_matches("/sitemap-").trim_end_matches(".xml");
    match code.parse::<Language>() {
        Ok(language) => xml(adoube_pages::sitemap(&site(&app, &headers).address, language)),
        Err(_) => Error::NotFound.into_response(),
    }
}

fn xml(text: String) -> Response {
    let kind = (header::CONTENT_TYPE, "application/xml; charset=utf-8");
    ([kind], [(header::CACHE_CONTROL, CACHE_FOR_A_DAY)], text).into_response()
}

/// The language and the path of a requested page.
struct PageRequest {
    language: Language,
    /// Whether the path names the language.
    language_is_in_path: bool,
    /// The path without the language.
    path: String,
}

impl PageRequest {
    fn new(uri: &Uri, headers: &HeaderMap) -> Self {
        match language_of_path(uri.path()) {
            Some((language, path)) => Self { language, language_is_in_path: true, path: path.to_owned() },
            None => Self {
                language: preferred_language(headers),
                language_is_in_path: false,
                path: uri.path().to_owned(),
            },
        }
    }
}

/// A document and its status.
struct PageResponse {
    status: StatusCode,
    document: Document,
}

impl From<Document> for PageResponse {
    fn from(document: Document) -> Self {
        Self { status: StatusCode::OK, document }
    }
}

impl PageResponse {
    fn missing(document: Document) -> Self {
        Self { status: StatusCode::NOT_FOUND, document }
    }
}

/// Returns the document of a page and its status. Fails if the database fails, or if the visitor has reached
/// a limit.
async fn find(
    app: &App,
    by: Option<(&Peer, &Visitor)>,
    language: Language,
    segments: &Segments<'_>,
) -> Result<PageResponse, Error> {
    let missing = || PageResponse::missing(adoube_pages::missing(language));
    // A page whose path does not name a variant shows the default one.
    let variant =
        |name: Option<&&str>| name.map_or(Some(Variant::DEFAULT), |name| name.parse::<Variant>().ok());
    let Some((&page, rest)) = segments.split_first() else { return Ok(adoube_pages::home(language).into()) };
    let found = match (page, rest) {
        ("hall", _) => Some(adoube_pages::scripted_page(language, ScriptedPage::Hall)),
        ("rules", rest) => match variant(rest.first()) {
            Some(variant) => Some(rules(language, variant)?),
            None => None,
        },
        ("learn", rest) => variant(rest.first()).and_then(|variant| match rest.get(1) {
            None => Some(adoube_pages::drill_list(language, variant)),
            Some(name) => adoube_pages::drill(language, variant, name),
        }),
        ("problems", rest) => match (variant(rest.first()), rest.get(1)) {
            (None, _) => None,
            (Some(variant), None) => Some(adoube_pages::problem_list(language, variant)),
            (Some(_), Some(&"compose")) => {
                Some(adoube_pages::scripted_page(language, ScriptedPage::Personal))
            }
            (Some(variant), Some(id)) => problem(app, language, variant, id).await?,
        },
        ("analysis", ["game", id]) | ("game", [id]) => return game(app, by, language, id).await,
        ("analysis", ["saved", ..]) => Some(adoube_pages::scripted_page(language, ScriptedPage::Personal)),
        ("analysis", rest) => variant(rest.first())
            .map(|variant| adoube_pages::scripted_page(language, ScriptedPage::Analysis(variant))),
        ("invite", [token]) => return invitation(app, by, language, token).await,
        _ => Some(adoube_pages::scripted_page(language, ScriptedPage::Personal)),
    };
    Ok(found.map_or_else(missing, PageResponse::from))
}

fn rules(language: Language, variant: Variant) -> Result<Document, Error> {
    let data = serde_json::to_value(rule_page(variant, language, String::new()));
    let data: Value = data.map_err(|_| Error::Internal("a rule page cannot be serialized"))?;
    Ok(adoube_pages::rules(language, variant, data))
}

/// Returns the document of a built-in problem or of one composed by a visitor, if there is one.
async fn problem(
    app: &App,
    language: Language,
    variant: Variant,
    id: &str,
) -> Result<Option<Document>, Error> {
    if let Some(document) = adoube_pages::problem(language, variant, id) {
        return Ok(Some(document));
    }
    let Ok(id) = id.parse::<ProblemId>() else { return Ok(None) };
    let stored = app.store.lookup_problem(&id).await?.filter(|stored| stored.variant == variant.name());
    let Some(stored) = stored else { return Ok(None) };
    let document: adoube_documents::ProblemDocument = serde_json::from_str(&stored.document)
        .map_err(|source| LogError::Problem { id: stored.id.clone(), source })?;
    let composed = ComposedProblem {
        id: stored.id.as_str(),
        title: stored.title.as_deref(),
        by: stored.name.as_deref(),
        fen: &document.fen,
        turns: document.turns,
        line: &document.line,
    };
    Ok(adoube_pages::composed_problem(language, variant, &composed))
}

/// Returns the document of a game as a spectator sees it.
async fn game(
    app: &App,
    by: Option<(&Peer, &Visitor)>,
    language: Language,
    id: &str,
) -> Result<PageResponse, Error> {
    let missing = || PageResponse::missing(adoube_pages::game_missing(language));
    let Ok(id) = id.parse::<GameId>() else { return Ok(missing()) };
    let (peer, visitor) = by.ok_or(Error::Internal("the visitor was not identified"))?;
    app.allowances.spend(Resource::Snapshots, peer.requester(visitor))?;
    let game = match app.games.ledger.load(&id).await {
        Ok(game) => game,
        Err(Error::GameNotFound) => return Ok(missing()),
        Err(error) => return Err(error),
    };
    let names = app.names.of_game(&game).await?;
    // The document is written on a worker thread, because hundreds of turns may have to be replayed.
    let write = move || {
        let initial = AnyPosition::from_fen(game.variant(), game.initial_fen())
            .map_err(|source| LogError::Replay { game: id.clone(), source: source.into() })?;
        let facts = GameFacts {
            id: id.as_str(),
            initial,
            turns: game.turns().map(|played| played.turn).collect(),
            white: seat(&game, Color::White, &names),
            black: seat(&game, Color::Black, &names),
            ending: game.ending().map(ending_names),
        };
        Ok(adoube_pages::game(language, &facts))
    };
    Ok(app.studies.work.run(peer.tenant(visitor), write).await?.into())
}

/// Returns the names of a result and its reason, as used in the keys of localized messages.
fn ending_names(ending: Ending) -> (&'static str, &'static str) {
    let result = match (ending.winner(), ending.result) {
        (Some(Color::White), _) => "white",
        (Some(Color::Black), _) => "black",
        (None, GameResult::NoResult) => "none",
        (None, _) => "draw",
    };
    let reason = match ending.reason {
        EndReason::Repetition if ending.winner().is_some() => "repetition-lost",
        reason => reason.name(),
    };
    (result, reason)
}

fn seat(game: &Game, color: Color, names: &PlayerNames) -> SeatFacts {
    let name = if color == Color::White { &names.white } else { &names.black };
    match &game.seats()[color] {
        Seat::Open => SeatFacts::Open,
        Seat::Person { .. } => SeatFacts::Person(name.clone()),
        Seat::Machine { level } => SeatFacts::Machine(*level),
    }
}

/// Returns the document of an invitation. It shows only which variant is to be played, never the position.
async fn invitation(
    app: &App,
    by: Option<(&Peer, &Visitor)>,
    language: Language,
    token: &str,
) -> Result<PageResponse, Error> {
    let missing = || PageResponse::missing(adoube_pages::invitation_missing(language));
    let Ok(token) = token.parse::<InvitationToken>() else { return Ok(missing()) };
    let (peer, visitor) = by.ok_or(Error::Internal("the visitor was not identified"))?;
    app.allowances.spend(Resource::Snapshots, peer.requester(visitor))?;
    let Some(invitation) = app.store.lookup_invitation(&token).await? else { return Ok(missing()) };
    let game = app.games.ledger.load(&invitation.game).await?;
    let is_open = game.ending().is_none() && Color::ALL.iter().any(|&side| game.seats()[side] == Seat::Open);
    if is_open {
        return Ok(adoube_pages::invitation(language, InvitationState::Open(game.variant())).into());
    }
    let document = adoube_pages::invitation(language, InvitationState::Over(invitation.game.as_str()));
    // For the two players, the link still leads to the game, so the response is not 410.
    let is_player = game.color_of(&visitor.player).is_some();
    Ok(PageResponse { status: if is_player { StatusCode::OK } else { StatusCode::GONE }, document })
}

/// Responds with a document, or with status 304 if the browser already has it.
async fn respond(
    app: &App,
    page_request: &PageRequest,
    headers: &HeaderMap,
    found: PageResponse,
) -> Response {
    let PageResponse { status, document } = found;
    let language = document.language;
    let Some(shell) = shell() else {
        // The client's page lacks the parts that a document fills, so it is sent without the document.
        let mut response = client_page(app, &HeaderMap::new()).await;
        if status != StatusCode::OK {
            *response.status_mut() = status;
        }
        return response;
    };
    let html = shell.fill(&document, &site(app, headers), &preload_links(language, &document));
    let digest = Sha256::digest(html.as_bytes());
    // The tag is weak because the body may also be sent compressed.
    let tag = format!("W/\"{:x}\"", u128::from_be_bytes(digest[..16].try_into().unwrap_or_default()));
    let is_known = list_items(headers, &header::IF_NONE_MATCH).any(|known| known == tag);
    let mut response_headers = HeaderMap::new();
    response_headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    // The page refers to assets of its own version, so it must not be served from a cache after an update.
    response_headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response_headers.insert(header::ETAG, tag);
    }
    if let Ok(language) = HeaderValue::from_str(language.code()) {
        response_headers.insert(header::CONTENT_LANGUAGE, language);
    }
    if !page_request.language_is_in_path {
        response_headers.insert(header::VARY, HeaderValue::from_static("accept-language"));
    }
    if status == StatusCode::OK && is_known {
        return (StatusCode::NOT_MODIFIED, response_headers).into_response();
    }
    (status, response_headers, html).into_response()
}

/// Returns the address of the house, for absolute URLs. Without a public address, the host is taken from the
/// request; the server then accepts only IP addresses and local-network names as hosts.
fn site(app: &App, headers: &HeaderMap) -> Site {
    let address = app.config.public_origin.as_ref().map_or_else(
        || {
            let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
            format!("http://{host}")
        },
        ToString::to_string,
    );
    Site { address, path: app.config.base_path().to_owned() }
}

/// Returns `link` elements to preload files that the client would otherwise request only when its script
/// runs: the language's messages and, for a page with boards, the rules module. Empty if the client is not
/// built.
fn preload_links(language: Language, document: &Document) -> String {
    static CHUNKS: LazyLock<Value> = LazyLock::new(|| {
        serde_json::from_str(include_str!(concat!(env!("OUT_DIR"), "/chunks.json"))).unwrap_or_default()
    });
    let link = |source: &str, what: &str| {
        let file = CHUNKS.get(source)?.get("file")?.as_str()?;
        Some(format!("<link {what} crossorigin href=\"/{file}\">"))
    };
    let messages = link(&format!("src/lib/i18n/{language}.ts"), "rel=\"modulepreload\"");
    let has_boards = document.preview.is_some();
    let module = has_boards
        .then(|| link("src/lib/wasm/adoube_wasm_bg.wasm", "rel=\"preload\" as=\"fetch\""))
        .flatten();
    messages.into_iter().chain(module).collect()
}

/// Returns the client's page, or a substitute if the client is not built. Returns `None` if the page lacks
/// the parts that a document fills.
fn shell() -> Option<&'static Shell> {
    static SHELL: LazyLock<Option<Shell>> =
        LazyLock::new(|| Shell::new(include_str!(concat!(env!("OUT_DIR"), "/page.html")).to_owned()));
    SHELL.as_ref()
}

#[cfg(test)]
mod tests {
    use adoube_pages::localized;

    use super::*;

    fn parse_request(path: &str, accepted: &str) -> (Language, bool, String) {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_LANGUAGE, accepted.parse().unwrap());
        let PageRequest { language, language_is_in_path: is_in_path, path } =
            PageRequest::new(&path.parse().unwrap(), &headers);
        (language, is_in_path, path)
    }

    #[test]
    fn the_language_in_the_path_takes_precedence() {
        assert_eq!(
            parse_request("/rules/chess", "es"),
            (Language::Spanish, false, "/rules/chess".to_owned())
        );
        assert_eq!(
            parse_request("/en/rules/chess", "es"),
            (Language::English, true, "/rules/chess".to_owned())
        );
        assert_eq!(
            parse_request(&localized(Language::French, "/"), "es"),
            (Language::French, true, "/".to_owned())
        );
    }
}
