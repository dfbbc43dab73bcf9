//! Documents, and the pages that are tools rather than something to read.

use adoube_notation::Language;
use adoube_rules::Variant;
use adoube_texts::{Args, message, name, text};
use maud::{Markup, html};
use serde_json::{Value, json};

use crate::{localized, shell::Preview};

/// The content of a page for readers without scripts, and its metadata.
#[derive(Clone, Debug)]
pub struct Document {
    /// The language of the page.
    pub language: Language,
    /// The path without the language, such as `/rules/chess`. If search engines index the page, this is its
    /// canonical path.
    pub path: String,
    /// The heading.
    pub title: String,
    /// A sentence about the page, for search engines and previews.
    pub description: String,
    /// Whether search engines index the page.
    pub index: Index,
    /// The picture in previews of links to the page.
    pub preview: Option<Preview>,
    /// Structured data (JSON-LD). Strings that begin with a slash are paths on this site.
    pub data: Vec<Value>,
    /// The content after the heading.
    pub main: Markup,
    /// Whether the page is meant to be read. Otherwise the content is hidden until the script has had time to
    /// load.
    pub is_text: bool,
    /// Data for the client's script, with the id of the element that holds it.
    pub client_data: Option<(&'static str, Value)>,
}

/// Whether search engines index a page.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Index {
    /// The page is in the sitemap, or could be.
    Always,
    /// The page is private, does not exist, or has no content.
    Never,
}

impl Document {
    /// Returns an empty document in a language.
    pub(crate) fn new(language: Language) -> Self {
        Self {
            language,
            path: "/".to_owned(),
            title: String::new(),
            description: String::new(),
            index: Index::Always,
            preview: None,
            data: Vec::new(),
            main: html! {},
            is_text: true,
            client_data: None,
        }
    }
}

/// A page that does nothing without scripts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ScriptedPage {
    /// Open seeks, and games to watch.
    Hall,
    /// The analysis board of a game.
    Analysis(Variant),
    /// A page for one visitor, such as the account page. Search engines must not index it.
    Personal,
}

/// Returns a page that does nothing without scripts.
pub fn scripted_page(language: Language, page: ScriptedPage) -> Document {
    let document = Document { is_text: false, main: games(language), ..Document::new(language) };
    match page {
        ScriptedPage::Hall => Document {
            path: "/hall".to_owned(),
            title: text(language, "hall-title"),
            description: text(language, "document-about-hall"),
            ..document
        },
        ScriptedPage::Analysis(variant) => Document {
            path: format!("/analysis/{variant}"),
            title: with_variant(language, "analysis-title-of", variant),
            description: with_variant(language, "document-about-analysis", variant),
            ..document
        },
        ScriptedPage::Personal => Document {
            title: text(language, "site-name"),
            description: text(language, "document-about-home"),
            index: Index::Never,
            ..document
        },
    }
}

/// Returns the page for an address that does not exist.
pub fn missing(language: Language) -> Document {
    Document {
        title: text(language, "not-found-title"),
        description: text(language, "document-about-missing"),
        index: Index::Never,
        main: html! {
            p { (text(language, "not-found-text")) }
            p { (home_link(language)) }
            (games(language))
        },
        ..Document::new(language)
    }
}

/// Returns a link to the home page.
pub(crate) fn home_link(language: Language) -> Markup {
    html! { a href=(localized(language, "/")) { (text(language, "not-found-home")) } }
}

/// Returns the list of games, each with a sentence about it and links to its pages.
pub(crate) fn games(language: Language) -> Markup {
    html! {
        ul.games {
            @for variant in Variant::ALL {
                li {
                    h2 { (name(language, variant)) }
                    p { (text(language, &format!("about-{variant}"))) }
                    p.links {
                        a href=(localized(language, &format!("/rules/{variant}"))) {
                            (text(language, "nav-rules"))
                        } " · "
                        a href=(localized(language, &format!("/learn/{variant}"))) {
                            (text(language, "nav-learn"))
                        } " · "
                        a href=(localized(language, &format!("/problems/{variant}"))) {
                            (text(language, "nav-problems"))
                        }
                    }
                }
            }
        }
    }
}

/// Returns links to the same page for each game; the link for the current game is marked.
pub(crate) fn game_links(language: Language, page: &str, current: Variant) -> Markup {
    html! {
        nav.others aria-label=(text(language, "rules-choose")) {
            @for variant in Variant::ALL {
                a href=(localized(language, &format!("/{page}/{variant}")))
                    aria-current=[(variant == current).then_some("page")] { (name(language, variant)) }
            }
        }
    }
}

/// Returns a message that contains the name of a game.
pub(crate) fn with_variant(language: Language, key: &str, variant: Variant) -> String {
    let mut args = Args::new();
    args.set("variant", name(language, variant));
    message(language, key, &args)
}

/// Returns the breadcrumb trail of a page, as structured data. Each entry is a name and a path without a
/// language.
pub(crate) fn breadcrumbs(language: Language, below: &[(String, String)]) -> Value {
    let home = (text(language, "site-name"), "/".to_owned());
    let items = std::iter::once(&home).chain(below).zip(1..).map(|((name, path), position)| {
        json!({ "@type": "ListItem", "position": position, "name": name, "item": localized(language, path) })
    });
    json!({
        "@context": "https://schema.org",
        "@type": "BreadcrumbList",
        "itemListElement": items.collect::<Vec<_>>(),
    })
}

/// Returns structured data about a page for learners.
pub(crate) fn learning_resource(document: &Document, kind: &str, variant: Variant) -> Value {
    let Document { language, path, title, description, preview, .. } = document;
    json!({
        "@context": "https://schema.org",
        "@type": "LearningResource",
        "name": title,
        "description": description,
        "url": localized(*language, path),
        "image": preview.as_ref().map(|preview| preview.path.as_str()),
        "inLanguage": language.code(),
        "learningResourceType": kind,
        "isAccessibleForFree": true,
        "about": { "@type": "Game", "name": name(*language, variant) },
    })
}
