//! The home page.

use adoube_learn::book;
use adoube_notation::Language;
use adoube_rules::Variant;
use adoube_texts::{name, text};
use maud::html;
use serde_json::json;

use crate::{
    localized,
    shell::{Preview, image},
    site::{Document, games},
};

/// Returns the home page. It lists the games, and shows a characteristic turn of one of them.
pub fn home(language: Language) -> Document {
    let first_look =
        Variant::ALL.into_iter().find_map(|variant| Some((variant, book(variant).first_look()?)));
    let first_look = first_look.map(|(variant, (diagram, _))| (variant, diagram.picture()));
    let caption = |variant: Variant| text(language, &format!("first-look-{variant}"));
    let description = text(language, "document-about-home");
    Document {
        title: text(language, "document-home"),
        preview: first_look.as_ref().map(|(variant, picture)| Preview::of(picture, &caption(*variant))),
        data: vec![json!({
            "@context": "https://schema.org",
            "@type": "WebSite",
            "name": text(language, "site-name"),
            "description": description,
            "url": localized(language, "/"),
            "inLanguage": language.code(),
        })],
        main: html! {
            p.lead { (text(language, "home-lead")) }
            @if let Some((variant, picture)) = &first_look {
                figure.position {
                    (image(picture, &caption(*variant)))
                    figcaption {
                        strong { (name(language, *variant)) } " – " (caption(*variant)) " "
                        a href=(localized(language, &format!("/rules/{variant}"))) {
                            (text(language, "home-look-rules"))
                        }
                    }
                }
            }
            (games(language))
        },
        description,
        ..Document::new(language)
    }
}
