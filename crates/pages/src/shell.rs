//! The client's page, and the content that is inserted into it.

use adoube_diagram::Picture;
use adoube_notation::Language;
use adoube_rules::Position as _;
use adoube_texts::text;
use maud::{Markup, PreEscaped, html};
use serde_json::Value;

use crate::{
    Site, localized, own_name, prefix_links,
    site::{Document, Index},
};

/// The element that the client's script fills.
const APP: &str = "<div id=\"app\"></div>";
/// The language of the shell.
const LANGUAGE: &str = "lang=\"fr\"";
/// The title of the shell.
const TITLE: &str = "<title>adoube</title>";
const END_OF_HEAD: &str = "</head>";

/// The pages linked in the header: the path of each, and the key of the message with its name.
const HEADER: [(&str, &str); 6] = [
    ("/", "nav-play"),
    ("/hall", "nav-hall"),
    ("/analysis", "nav-analysis"),
    ("/rules", "nav-rules"),
    ("/learn", "nav-learn"),
    ("/problems", "nav-problems"),
];

/// The client's page, without content.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Shell(String);

/// The picture in a link preview.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Preview {
    /// The path at which the server draws it, with its query.
    pub path: String,
    /// A text alternative for the picture.
    pub alt: String,
}

impl Preview {
    /// Returns the preview of a position.
    pub fn of(picture: &Picture, alt: &str) -> Self {
        Self { path: format!("/diagram.png?{}", picture.query()), alt: alt.to_owned() }
    }
}

impl Shell {
    /// Returns the shell, or `None` if the text is not a client page with all the parts to fill.
    pub fn new(html: String) -> Option<Self> {
        [LANGUAGE, TITLE, END_OF_HEAD, APP].iter().all(|part| html.contains(part)).then_some(Self(html))
    }

    /// Returns the document as HTML. `early` contains elements for the head that name the files the client
    /// will need.
    pub fn fill(&self, document: &Document, site: &Site, early: &str) -> String {
        let content = content(document).into_string();
        let head = head(document, &site.address).into_string();
        // The parts are filled from last to first, so each first occurrence is the shell's own.
        let html = self
            .0
            .replacen(APP, &format!("<div id=\"app\">{content}</div>"), 1)
            .replacen(END_OF_HEAD, &format!("{head}{early}{END_OF_HEAD}"), 1)
            .replacen(TITLE, &html! { title { (full_title(document)) } }.into_string(), 1)
            .replacen(LANGUAGE, &format!("lang=\"{}\"{}", document.language, base(&site.path)), 1);
        prefix_links(html, &site.path)
    }

    /// Returns the page without content, for a house under a path.
    pub fn bare(&self, path: &str) -> String {
        let html = self.0.replacen(LANGUAGE, &format!("{LANGUAGE}{}", base(path)), 1);
        prefix_links(html, path)
    }
}

/// Returns the attribute of the root element from which the client learns the path of the house.
fn base(path: &str) -> String {
    if path.is_empty() { String::new() } else { format!(" data-base=\"{path}\"") }
}

fn full_title(document: &Document) -> String {
    let mut args = adoube_texts::Args::new();
    args.set("page", document.title.as_str());
    adoube_texts::message(document.language, "page-title", &args)
}

/// Returns the metadata.
fn head(document: &Document, address_of_site: &str) -> Markup {
    let Document { language, path, title, description, index, preview, data, .. } = document;
    let absolute = |path: &str| format!("{address_of_site}{path}");
    let address = absolute(&localized(*language, path));
    html! {
        meta name="description" content=(description);
        @match index {
            // The addresses of these pages may contain secrets, so they are not repeated.
            Index::Never => meta name="robots" content="noindex";
            Index::Always => {
                link rel="canonical" href=(address);
                @for other in Language::ALL {
                    link rel="alternate" hreflang=(other) href=(absolute(&localized(other, path)));
                }
                // Browsers that prefer none of the languages get the default one.
                link rel="alternate" hreflang="x-default" href=(absolute(&localized(Language::default(), path)));
                meta property="og:url" content=(address);
            }
        }
        meta property="og:site_name" content=(text(*language, "site-name"));
        meta property="og:type" content="website";
        meta property="og:title" content=(title);
        meta property="og:description" content=(description);
        meta property="og:locale" content=(locale(*language));
        @for other in Language::ALL.into_iter().filter(|other| other != language) {
            meta property="og:locale:alternate" content=(locale(other));
        }
        @if let Some(Preview { path, alt }) = preview {
            @let (width, height) = Picture::CARD;
            meta property="og:image" content=(absolute(path));
            meta property="og:image:type" content="image/png";
            meta property="og:image:width" content=(width);
            meta property="og:image:height" content=(height);
            meta property="og:image:alt" content=(alt);
            meta name="twitter:card" content="summary_large_image";
        } @else {
            meta name="twitter:card" content="summary";
        }
        @for data in data {
            (data_script("application/ld+json", None, &absolute_data(data.clone(), address_of_site)))
        }
    }
}

/// Returns the locale for a language, in the format of the Open Graph protocol.
const fn locale(language: Language) -> &'static str {
    match language {
        Language::English => "en_GB",
        Language::Spanish => "es_ES",
        _ => "fr_FR",
    }
}

/// Makes the paths in structured data absolute: all strings that begin with a slash.
fn absolute_data(data: Value, address: &str) -> Value {
    match data {
        Value::String(text) if text.starts_with('/') => Value::String(format!("{address}{text}")),
        Value::Array(all) => all.into_iter().map(|each| absolute_data(each, address)).collect(),
        Value::Object(all) => {
            all.into_iter().map(|(key, value)| (key, absolute_data(value, address))).collect()
        }
        other => other,
    }
}

/// Returns a script element that contains data instead of code.
fn data_script(kind: &str, id: Option<&str>, data: &Value) -> Markup {
    // In such an element, only text that begins with `<` can have a special meaning, such as the end tag.
    let data = data.to_string().replace('<', "\\u003c");
    html! { script type=(kind) id=[id] { (PreEscaped(data)) } }
}

/// Returns the content of the page, which the client's script replaces.
fn content(document: &Document) -> Markup {
    let Document { language, path, title, main, is_text, client_data, .. } = document;
    let language = *language;
    html! {
        // On a scripted page, this content appears only if the script does not load.
        div.document.late[!is_text] {
            header {
                a.home href=(localized(language, "/")) { (text(language, "site-name")) }
                nav aria-label=(text(language, "nav-label-site")) {
                    @for (page, name) in HEADER {
                        // A document that is not indexed may have the default path, that of the home page.
                        @let is_current = document.index == Index::Always && path == page;
                        a href=(localized(language, page)) aria-current=[is_current.then_some("page")] {
                            (text(language, name))
                        }
                    }
                }
                @if document.index == Index::Always {
                    nav aria-label=(text(language, "document-languages")) {
                        @for other in Language::ALL.into_iter().filter(|&other| other != language) {
                            a href=(localized(other, path)) hreflang=(other) lang=(other) { (own_name(other)) }
                        }
                    }
                }
            }
            main.plain {
                h1 { (title) }
                p.without-scripts {
                    (text(language, if *is_text { "document-no-scripts" } else { "document-needs-scripts" }))
                }
                p.failed role="alert" { (text(language, "document-failed")) }
                (main)
            }
            footer { p { (text(language, "footer-note")) } }
        }
        @if let Some((id, data)) = client_data {
            (data_script("application/json", Some(id), data))
        }
    }
}

/// Returns a position as an image with a text alternative.
pub(crate) fn image(picture: &Picture, alt: &str) -> Markup {
    let (width, height) = picture.size();
    html! {
        img src={ "/diagram.svg?" (picture.query()) } width=(width) height=(height) alt=(alt);
    }
}

/// Returns a position as an image, and its men in words.
pub(crate) fn board(picture: &Picture, language: Language, alt: &str) -> Markup {
    html! {
        figure.position {
            (image(picture, alt))
            figcaption {
                (crate::position::side_to_move(language, picture.position.side_to_move()))
                @for line in crate::position::men(&picture.position, language) { br; (line) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell() -> Shell {
        let html = "<!doctype html><html lang=\"fr\"><head><title>adoube</title></head>\
                    <body><div id=\"app\"></div><script src=\"x.js\"></script></body></html>";
        Shell::new(html.to_owned()).expect("a shell")
    }

    fn root() -> Site {
        Site { address: "https://x.example".to_owned(), path: String::new() }
    }

    fn document() -> Document {
        Document {
            title: "<b>\"&".to_owned(),
            description: "\"><script>alert(1)</script>".to_owned(),
            path: "/rules/chess".to_owned(),
            data: vec![serde_json::json!({ "name": "</script><script>", "url": "/fr/rules/chess" })],
            ..Document::new(Language::English)
        }
    }

    #[test]
    fn inserted_content_is_escaped() {
        let html = shell().fill(&document(), &root(), "");
        assert!(html.contains("<html lang=\"en\">"));
        assert!(html.contains("<title>&lt;b&gt;&quot;&amp; – adoube</title>"), "{html}");
        assert!(html.contains("content=\"&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\""), "{html}");
        assert!(
            html.contains(
                r#"{"name":"\u003c/script>\u003cscript>","url":"https://x.example/fr/rules/chess"}"#
            )
        );
        assert_eq!(html.matches("<script").count(), 2, "the shell's script and the data: {html}");
    }

    #[test]
    fn a_page_has_an_address_in_each_language() {
        let html = shell().fill(&document(), &root(), "<link rel=\"preload\">");
        assert!(html.contains("<link rel=\"canonical\" href=\"https://x.example/en/rules/chess\">"));
        for code in ["fr", "en", "es"] {
            let link = format!("hreflang=\"{code}\" href=\"https://x.example/{code}/rules/chess\"");
            assert!(html.contains(&link), "{link}");
        }
        assert!(html.contains("hreflang=\"x-default\" href=\"https://x.example/fr/rules/chess\""));
        assert!(html.contains("<link rel=\"preload\"></head>"));
    }

    #[test]
    fn a_private_page_does_not_repeat_its_address() {
        let private = Document { index: Index::Never, path: "/invite/secret".to_owned(), ..document() };
        let html = shell().fill(&private, &root(), "");
        assert!(
            html.contains("<meta name=\"robots\" content=\"noindex\">") && !html.contains("secret"),
            "{html}"
        );
    }

    #[test]
    fn a_document_under_a_path_includes_it_in_all_addresses() {
        let site = Site { address: "https://x.example/club".to_owned(), path: "/club".to_owned() };
        let early = "<link rel=\"modulepreload\" href=\"/assets/fr.js\">";
        let html = shell().fill(&document(), &site, early);
        assert!(html.contains("<html lang=\"en\" data-base=\"/club\">"), "{html}");
        for address in [
            "<link rel=\"canonical\" href=\"https://x.example/club/en/rules/chess\">",
            "<meta property=\"og:url\" content=\"https://x.example/club/en/rules/chess\">",
            r#""url":"https://x.example/club/fr/rules/chess""#,
            "<link rel=\"modulepreload\" href=\"/club/assets/fr.js\">",
            "<a href=\"/club/en/hall\">",
        ] {
            assert!(html.contains(address), "{address}: {html}");
        }
        let bare = shell().bare("/club");
        assert!(
            bare.contains("<html lang=\"fr\" data-base=\"/club\">")
                && bare.contains("<div id=\"app\"></div>")
        );
        assert!(!shell().fill(&document(), &root(), early).contains("data-base"));
    }

    #[test]
    fn a_page_that_is_not_the_shell_is_refused() {
        assert_eq!(Shell::new("<p>The web client is not built</p>".to_owned()), None);
    }
}
