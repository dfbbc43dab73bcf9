//! The rule pages.

use adoube_diagram::Picture;
use adoube_learn::{book, page};
use adoube_notation::Language;
use adoube_rules::{AnyPosition, Variant};
use adoube_texts::text;
use maud::{PreEscaped, html};
use serde_json::Value;

use crate::{
    localized,
    shell::Preview,
    site::{Document, breadcrumbs, game_links, learning_resource, with_variant},
};

/// Returns a rule page with its full text. `client_data` saves the client a request for the same data.
pub fn rules(language: Language, variant: Variant, client_data: Value) -> Document {
    let adoube_learn::Page { html: article, contents, .. } = page(variant, language);
    let path = format!("/rules/{variant}");
    let title = with_variant(language, "rules-of", variant);
    let start = || Picture::of(AnyPosition::initial(variant));
    let picture = book(variant).first_look().map_or_else(start, |(diagram, _)| diagram.picture());
    let document = Document {
        preview: Some(Preview::of(&picture, &title)),
        description: with_variant(language, "document-about-rules", variant),
        main: html! {
            (game_links(language, "rules", variant))
            nav.contents aria-label=(text(language, "rules-contents")) {
                ul {
                    @for (id, heading) in contents {
                        li { a href={ "#" (id) } { (heading) } }
                    }
                }
            }
            p.small { (text(language, "rules-marks")) }
            // Not escaped: it is generated from our own text, in which HTML is not allowed.
            article.rules { (PreEscaped(article)) }
            p { a href=(localized(language, &format!("/learn/{variant}"))) { (text(language, "rules-drills")) } }
        },
        client_data: Some(("rule-page", client_data)),
        path: path.clone(),
        title: title.clone(),
        ..Document::new(language)
    };
    let data = vec![learning_resource(&document, "rules", variant), breadcrumbs(language, &[(title, path)])];
    Document { data, ..document }
}
