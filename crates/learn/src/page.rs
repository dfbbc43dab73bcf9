//! Converts rule pages from Markdown to HTML.

use std::{fmt::Write as _, sync::LazyLock};

use adoube_notation::Language;
use adoube_rules::Variant;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use thiserror::Error;

use crate::book::{Book, book};

/// The rules of a variant in one language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Page {
    /// The title, as text.
    pub title: String,
    /// The HTML after the title. Each diagram is a `figure` with the name in `data-diagram` and the `id`
    /// `diagram-N`, where `N` is its number on the page, from 1. The first mention of each clause has the
    /// clause's name as its `id`.
    pub html: String,
    /// The second-level headings: `id` and text.
    pub contents: Vec<(String, String)>,
    /// The diagrams shown, in order.
    pub diagrams: Vec<String>,
    /// The clauses mentioned, in order and with repetitions.
    pub clauses: Vec<String>,
}

/// An error in a page. The pages are part of the program, so it occurs only in tests.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum PageError {
    /// The page has no first-level heading.
    #[error("the page has no title")]
    NoTitle,
    /// The page shows a diagram that does not exist for the variant.
    #[error("there is no diagram {0:?}")]
    NoDiagram(String),
    /// The page contains HTML, or an image that is neither a diagram nor a piece of the game.
    #[error("{0:?} is neither text nor a diagram nor a piece")]
    Foreign(String),
    /// A second-level heading has no name to link to.
    #[error("the heading {0:?} has no name; write {{#name}} after it")]
    NoName(String),
}

/// Returns the rules of a variant in a language.
pub fn page(variant: Variant, language: Language) -> &'static Page {
    static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| read_all(source));
    let index = all().position(|each| each == (variant, language)).unwrap_or_default();
    &PAGES[index]
}

fn all() -> impl Iterator<Item = (Variant, Language)> {
    Variant::ALL.into_iter().flat_map(|variant| Language::ALL.map(|language| (variant, language)))
}

/// Reads the pages in the order of [`all`]. A page that cannot be read is empty, so that the others keep
/// their places; a test checks that all can be read.
fn read_all(source: impl Fn(Variant, Language) -> &'static str) -> Vec<Page> {
    all()
        .map(|(variant, language)| {
            Page::read(source(variant, language), variant, language).unwrap_or_else(|_| Page::empty())
        })
        .collect()
}

const fn source(variant: Variant, language: Language) -> &'static str {
    match language {
        Language::Spanish => adoube_content::of!(variant, "rules.es.md"),
        Language::English => adoube_content::of!(variant, "rules.en.md"),
        // French is the default.
        _ => adoube_content::of!(variant, "rules.fr.md"),
    }
}

impl Page {
    /// Converts a page from Markdown. Shows the variant's diagrams, with labels in the given language.
    pub fn read(text: &str, variant: Variant, language: Language) -> Result<Self, PageError> {
        let page = Self::empty();
        let mut builder = Builder { book: book(variant), variant, language, page, state: State::Text };
        let mut events = Vec::new();
        let options =
            Options::ENABLE_HEADING_ATTRIBUTES | Options::ENABLE_TABLES | Options::ENABLE_SMART_PUNCTUATION;
        for event in Parser::new_ext(text, options) {
            builder.take(event, &mut events)?;
        }
        if builder.page.title.is_empty() {
            return Err(PageError::NoTitle);
        }
        html::push_html(&mut builder.page.html, events.into_iter());
        Ok(builder.page)
    }

    const fn empty() -> Self {
        Self {
            title: String::new(),
            html: String::new(),
            contents: Vec::new(),
            diagrams: Vec::new(),
            clauses: Vec::new(),
        }
    }
}

/// The element being read.
enum State {
    Text,
    /// The title, which is not part of the HTML.
    Title,
    /// A second-level heading, with its name.
    Heading(String),
    /// The text alternative of a diagram.
    Caption(String, String),
}

struct Builder<'a> {
    book: &'a Book,
    variant: Variant,
    language: Language,
    page: Page,
    state: State,
}

impl Builder<'_> {
    fn take<'e>(&mut self, event: Event<'e>, events: &mut Vec<Event<'e>>) -> Result<(), PageError> {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) => self.state = State::Title,
            Event::End(TagEnd::Heading(HeadingLevel::H1)) => self.state = State::Text,
            Event::Start(Tag::Heading { level: HeadingLevel::H2, ref id, .. }) => {
                self.state = State::Heading(id.as_deref().unwrap_or_default().to_owned());
                self.page.contents.push((String::new(), String::new()));
                events.push(event);
            }
            Event::End(TagEnd::Heading(HeadingLevel::H2)) => {
                let State::Heading(id) = std::mem::replace(&mut self.state, State::Text) else {
                    return Ok(());
                };
                if let Some(entry) = self.page.contents.last_mut() {
                    if id.is_empty() {
                        return Err(PageError::NoName(entry.1.clone()));
                    }
                    entry.0 = id;
                }
                events.push(event);
            }
            Event::Start(Tag::Image { dest_url, .. }) => {
                let foreign = || PageError::Foreign(dest_url.to_string());
                if let Some(role) = dest_url.strip_prefix("man:") {
                    self.variant.role_of_name(role).ok_or_else(foreign)?;
                    let place = format!("<span class=\"man\" data-man=\"{role}\"></span>");
                    events.push(Event::InlineHtml(place.into()));
                } else {
                    let name = dest_url.strip_prefix("diagram:").ok_or_else(foreign)?;
                    self.state = State::Caption(name.to_owned(), String::new());
                }
            }
            Event::End(TagEnd::Image) => {
                if let State::Caption(name, caption) = std::mem::replace(&mut self.state, State::Text) {
                    let figure = self.figure(&name, &caption)?;
                    self.page.diagrams.push(name);
                    events.push(Event::InlineHtml(figure.into()));
                }
            }
            Event::Html(text) | Event::InlineHtml(text) => return Err(PageError::Foreign(text.to_string())),
            Event::SoftBreak if matches!(self.state, State::Caption(..)) => {
                if let State::Caption(_, caption) = &mut self.state {
                    caption.push(' ');
                }
            }
            // Adjacent diagrams need nothing between them.
            Event::SoftBreak if matches!(events.last(), Some(Event::InlineHtml(last)) if last.ends_with("</figure>")) =>
                {}
            Event::Text(text) | Event::Code(text) if !matches!(self.state, State::Text) => {
                match &mut self.state {
                    State::Title => self.page.title.push_str(&text),
                    State::Heading(_) => {
                        if let Some((_, heading)) = self.page.contents.last_mut() {
                            heading.push_str(&text);
                        }
                        events.push(Event::Text(text));
                    }
                    State::Caption(_, caption) => caption.push_str(&text),
                    State::Text => {}
                }
            }
            Event::Text(text) => self.with_clauses(&text, events),
            other => events.push(other),
        }
        Self::unwrap_figures(events);
        Ok(())
    }

    /// Turns clauses such as `{B6}` into links.
    fn with_clauses(&mut self, text: &str, events: &mut Vec<Event<'_>>) {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((clause, remaining)) = after.split_once('}') else { break };
            if !before.is_empty() {
                // A non-breaking space keeps a clause from beginning a line.
                let joined = before.strip_suffix(' ').map(|text| format!("{text}\u{a0}"));
                events.push(Event::Text(CowStr::from(joined.unwrap_or_else(|| before.to_owned()))));
            }
            // Every mention of a clause is a link to the first one, which has the `id`.
            let place = if self.page.clauses.iter().any(|known| known == clause) {
                format!("<a class=\"clause\" href=\"#{clause}\">{clause}</a>")
            } else {
                format!("<a class=\"clause\" id=\"{clause}\" href=\"#{clause}\">{clause}</a>")
            };
            self.page.clauses.push(clause.to_owned());
            events.push(Event::InlineHtml(place.into()));
            rest = remaining;
        }
        if !rest.is_empty() {
            events.push(Event::Text(CowStr::from(rest.to_owned())));
        }
    }

    fn figure(&self, name: &str, caption: &str) -> Result<String, PageError> {
        let diagram = self.book.get(name).ok_or_else(|| PageError::NoDiagram(name.to_owned()))?;
        let number = self.page.diagrams.len() + 1;
        let mut figure = format!("<figure id=\"diagram-{number}\" data-diagram=\"{name}\">");
        let picture = diagram.picture();
        let (width, height) = picture.size();
        let address = format!("/diagram.svg?{}", picture.query());
        let label = diagram_label(number, self.language);
        let caption = escape(caption);
        // Writing to a string cannot fail.
        let _ = write!(
            figure,
            "<img src=\"{}\" width=\"{width}\" height=\"{height}\" alt=\"{label} {caption}\" loading=\"lazy\">\
             <figcaption><b>{label}</b> {caption}</figcaption></figure>",
            escape(&address)
        );
        Ok(figure)
    }

    /// Turns the paragraph that has just ended into a `div` if it contains only figures, because in HTML a
    /// figure cannot be part of a paragraph.
    fn unwrap_figures(events: &mut Vec<Event<'_>>) {
        if !matches!(events.last(), Some(Event::End(TagEnd::Paragraph))) {
            return;
        }
        let Some(start) = events.iter().rposition(|event| matches!(event, Event::Start(Tag::Paragraph)))
        else {
            return;
        };
        let is_figure =
            |event: &Event<'_>| matches!(event, Event::InlineHtml(html) if html.starts_with("<figure"));
        let end = events.len() - 1;
        if start + 1 < end && events[start + 1..end].iter().all(is_figure) {
            events[start] = Event::InlineHtml("<div class=\"diagrams\">".into());
            events[end] = Event::InlineHtml("</div>\n".into());
        }
    }
}

/// Returns the label, such as “Diagram 6.”, by which people refer to the diagram with this number.
fn diagram_label(number: usize, language: Language) -> String {
    let word = match language {
        Language::Spanish => "Diagrama",
        Language::English => "Diagram",
        // French is the default.
        _ => "Diagramme",
    };
    format!("{word}\u{a0}{number}.")
}

/// Escapes text for HTML.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    fn pages(variant: Variant) -> [(Language, Page); 3] {
        Language::ALL.map(|language| {
            let page = Page::read(source(variant, language), variant, language);
            (language, page.unwrap_or_else(|error| panic!("{variant} in {language}: {error}")))
        })
    }

    /// Returns the ids of the variant's clauses in `docs/rules-decisions.md`.
    fn clauses(variant: Variant) -> BTreeSet<String> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules-decisions.md");
        let text = fs::read_to_string(path).unwrap();
        let prefix = variant.info().clauses.prefix;
        let ids = text.lines().filter_map(|line| line.strip_prefix("- ")?.split(' ').next());
        let of_game = |id: &&str| id.strip_prefix(prefix).is_some_and(|number| number.parse::<u8>().is_ok());
        let clauses: BTreeSet<String> = ids.filter(of_game).map(str::to_owned).collect();
        assert!(!clauses.is_empty(), "{variant} has no clauses");
        clauses
    }

    #[test]
    fn every_page_covers_every_clause_in_every_language() {
        for variant in Variant::ALL {
            for (language, page) in pages(variant) {
                let mentioned: BTreeSet<String> = page.clauses.iter().cloned().collect();
                let missing: Vec<_> = clauses(variant).difference(&mentioned).cloned().collect();
                assert!(missing.is_empty(), "{variant} in {language} does not cover {missing:?}");
            }
        }
    }

    #[test]
    fn a_page_that_cannot_be_read_does_not_move_the_others() {
        let broken = (Variant::ALL[0], Language::ALL[1]);
        let read =
            read_all(
                |variant, language| {
                    if (variant, language) == broken { "no title" } else { source(variant, language) }
                },
            );
        assert_eq!(read.len(), all().count());
        for ((variant, language), page) in all().zip(&read) {
            if (variant, language) == broken {
                assert_eq!(*page, Page::empty());
            } else {
                assert_eq!(page, super::page(variant, language), "{variant} in {language}");
            }
        }
    }

    #[test]
    fn the_languages_show_the_same_diagrams_under_the_same_headings() {
        for variant in Variant::ALL {
            let [(_, french), others @ ..] = pages(variant);
            let names = |page: &Page| page.contents.iter().map(|(id, _)| id.clone()).collect::<Vec<_>>();
            for (language, page) in &others {
                assert_eq!(page.diagrams, french.diagrams, "{variant} in {language}");
                assert_eq!(names(page), names(&french), "{variant} in {language}");
            }
            let shown: BTreeSet<&str> = french.diagrams.iter().map(String::as_str).collect();
            let drawn: BTreeSet<&str> = book(variant).iter().map(|(name, _)| name).collect();
            assert_eq!(shown, drawn, "{variant}: every diagram must be shown");
        }
    }

    #[test]
    fn diagrams_and_clauses_become_html() {
        let text =
            "# Title\n\nText {B6} and *more* {B6}.\n\n![One & two](diagram:pawn)\n![Three](diagram:start)\n";
        let page = Page::read(text, Variant::Baroque, Language::English).unwrap();
        assert_eq!((page.title.as_str(), page.diagrams.len()), ("Title", 2));
        assert_eq!(page.html.matches("id=\"B6\"").count(), 1);
        assert_eq!(page.html.matches("href=\"#B6\"").count(), 2);
        assert!(
            page.html.contains("<div class=\"diagrams\"><figure id=\"diagram-1\" data-diagram=\"pawn\">"),
            "{}",
            page.html
        );
        assert!(page.html.contains("Text\u{a0}<a class=\"clause\""), "{}", page.html);
        assert!(page.html.contains("<b>Diagram\u{a0}1.</b> One &amp; two</figcaption>"), "{}", page.html);
        assert!(page.html.contains("alt=\"Diagram\u{a0}2. Three\""), "{}", page.html);
        assert!(!page.html.contains("<p><figure") && !page.html.contains("<h1"), "{}", page.html);
    }

    #[test]
    fn an_invalid_page_is_refused() {
        let read = |text| Page::read(text, Variant::Chess, Language::English).unwrap_err();
        assert_eq!(read("text"), PageError::NoTitle);
        assert_eq!(read("# T\n\n![x](diagram:none)"), PageError::NoDiagram("none".into()));
        assert_eq!(read("# T\n\n![x](x.png)"), PageError::Foreign("x.png".into()));
        assert_eq!(read("# T\n\n![](man:dragon)"), PageError::Foreign("man:dragon".into()));
        assert!(matches!(read("# T\n\n<b>x</b>"), PageError::Foreign(_)));
        assert_eq!(read("# T\n\n## H\n"), PageError::NoName("H".into()));
    }
}
