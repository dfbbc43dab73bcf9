//! The pages of the site as HTML documents.
//!
//! The client's page is an empty shell that a script fills. [`Shell::fill`] inserts the content for readers
//! without scripts: the text of the page with pictures of its positions, its title and description, its
//! address in each language, its link preview, and structured data. The script replaces the text.
//!
//! Every page has an address in each language, such as `/fr/rules/chess` ([`localized`]). The same path
//! without the language shows the page in the browser's preferred language, and directs search engines to the
//! address with the language.
//!
//! All sentences come from `locales/` and `games/`; HTML is written by templates that escape their input.

mod address;
mod game;
mod home;
mod learn;
mod position;
mod problems;
mod rules;
mod shell;
mod site;
mod sitemap;

pub use address::{Site, language_of_path, localized, prefix_links};
pub use game::{GameFacts, InvitationState, SeatFacts, game, game_missing, invitation, invitation_missing};
pub use home::home;
pub use learn::{drill, drill_list};
pub use problems::{ComposedProblem, composed_problem, problem, problem_list};
pub use rules::rules;
pub use shell::{Preview, Shell};
pub use site::{Document, ScriptedPage, missing, scripted_page};
pub use sitemap::{robots, sitemap, sitemap_index};

/// Returns the name of a language in that language.
const fn own_name(language: adoube_notation::Language) -> &'static str {
    match language {
        adoube_notation::Language::English => "English",
        adoube_notation::Language::Spanish => "Español",
        _ => "Français",
    }
}
