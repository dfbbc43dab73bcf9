//! The text of e-mails and of the documents that the server sends. It comes from the same files as the text of
//! the page, and is compiled into the program.
//!
//! ```
//! use adoube_notation::Language;
//! use adoube_texts::{Args, message, text};
//!
//! assert_eq!(text(Language::French, "not-found-title"), "Page introuvable");
//! let mut args = Args::new();
//! args.set("number", 3);
//! assert_eq!(message(Language::English, "move-number", &args), "Move 3");
//! ```

use std::{borrow::Cow, sync::LazyLock};

use adoube_notation::Language;
use adoube_rules::Variant;
use fluent_bundle::{FluentResource, concurrent::FluentBundle};
use unic_langid::LanguageIdentifier;

/// The arguments of a message.
pub type Args<'a> = fluent_bundle::FluentArgs<'a>;

type Bundle = FluentBundle<FluentResource>;

static BUNDLES: LazyLock<[Bundle; 3]> = LazyLock::new(|| Language::ALL.map(bundle));

/// Embeds a language's files from `locales/`.
macro_rules! files {
    ($language:literal) => {
        files!($language, "analysis", "document", "drill", "game", "house", "learn", "mail", "problem", "web")
    };
    ($language:literal, $($file:literal),*) => {
        [$(include_str!(concat!("../../../locales/", $language, "/", $file, ".ftl"))),*]
    };
}

/// Returns the files with the messages that programs use.
const fn program_files(language: Language) -> [&'static str; 9] {
    match language {
        Language::Spanish => files!("es"),
        Language::English => files!("en"),
        // French is the reference and the fallback.
        _ => files!("fr"),
    }
}

/// Returns the words of a game, including its name.
const fn words(variant: Variant, language: Language) -> &'static str {
    match language {
        Language::Spanish => adoube_content::of!(variant, "words.es.ftl"),
        Language::English => adoube_content::of!(variant, "words.en.ftl"),
        _ => adoube_content::of!(variant, "words.fr.ftl"),
    }
}

/// Returns the messages for a game's drills.
const fn drills(variant: Variant, language: Language) -> &'static str {
    match language {
        Language::Spanish => adoube_content::of!(variant, "drills.es.ftl"),
        Language::English => adoube_content::of!(variant, "drills.en.ftl"),
        _ => adoube_content::of!(variant, "drills.fr.ftl"),
    }
}

fn bundle(language: Language) -> Bundle {
    let tag: LanguageIdentifier = language.code().parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![tag]);
    // The messages are also sent as plain text, where some programs show isolation marks and where the marks
    // would break addresses.
    bundle.set_use_isolating(false);
    for text in sources(language) {
        // A test checks that every message can be parsed; here, those that cannot are left out.
        let resource = FluentResource::try_new(text.to_owned()).unwrap_or_else(|(read, _)| read);
        bundle.add_resource_overriding(resource);
    }
    bundle
}

fn sources(language: Language) -> impl Iterator<Item = &'static str> {
    let of_games = Variant::ALL
        .into_iter()
        .flat_map(move |variant| [words(variant, language), drills(variant, language)]);
    of_games.chain(program_files(language))
}

fn bundle_of(language: Language) -> Option<&'static Bundle> {
    BUNDLES.iter().find(|bundle| bundle.locales.iter().any(|tag| *tag == language.code()))
}

/// Returns the name of a game.
pub fn name(language: Language, variant: Variant) -> String {
    text(language, &format!("variant-{variant}"))
}

/// Returns a message without arguments, or its key if it does not exist.
pub fn text(language: Language, key: &str) -> String {
    message(language, key, &Args::new())
}

/// Returns a message, or its key if it does not exist.
pub fn message(language: Language, key: &str, args: &Args<'_>) -> String {
    let mut errors = Vec::new();
    let bundle = bundle_of(language);
    let pattern = bundle.and_then(|bundle| Some((bundle, bundle.get_message(key)?.value()?)));
    let text = pattern.map(|(bundle, pattern)| bundle.format_pattern(pattern, Some(args), &mut errors));
    if text.is_none() || !errors.is_empty() {
        tracing::error!(%language, key, ?errors, "a message is missing or incomplete");
    }
    text.map_or_else(|| key.to_owned(), Cow::into_owned)
}

/// Returns `true` if there is a message with this key.
pub fn has(language: Language, key: &str) -> bool {
    bundle_of(language).is_some_and(|bundle| bundle.has_message(key))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_files_can_be_parsed() {
        for language in Language::ALL {
            for text in sources(language) {
                if let Err((_, errors)) = FluentResource::try_new(text.to_owned()) {
                    panic!("{language}: {errors:?} in {}", text.chars().take(80).collect::<String>());
                }
            }
        }
    }

    #[test]
    fn a_missing_message_is_replaced_by_its_key() {
        assert_eq!(text(Language::French, "no-such-message"), "no-such-message");
        assert!(!has(Language::French, "no-such-message") && has(Language::French, "home-title"));
    }

    #[test]
    fn every_game_has_a_name() {
        for language in Language::ALL {
            for variant in Variant::ALL {
                assert!(!name(language, variant).starts_with("variant-"), "{variant} in {language}");
            }
        }
    }
}
