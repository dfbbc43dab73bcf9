//! The texts of e-mails, from the same files as those of the page, compiled into the program.

use std::sync::LazyLock;

use adoube_notation::Language;
use adoube_rules::Variant;
use fluent_bundle::{FluentArgs, FluentResource, concurrent::FluentBundle};
use unic_langid::LanguageIdentifier;

type Bundle = FluentBundle<FluentResource>;

static BUNDLES: LazyLock<[Bundle; 3]> = LazyLock::new(|| Language::ALL.map(bundle));

/// The messages that are used only in e-mails.
fn source(language: Language) -> &'static str {
    match language {
        Language::Spanish => include_str!("../../../../locales/es/mail.ftl"),
        Language::English => include_str!("../../../../locales/en/mail.ftl"),
        // French is the reference and the fallback.
        _ => include_str!("../../../../locales/fr/mail.ftl"),
    }
}

/// The messages of a game, including its name.
const fn words(variant: Variant, language: Language) -> &'static str {
    match language {
        Language::Spanish => adoube_content::of!(variant, "words.es.ftl"),
        Language::English => adoube_content::of!(variant, "words.en.ftl"),
        _ => adoube_content::of!(variant, "words.fr.ftl"),
    }
}

fn bundle(language: Language) -> Bundle {
    let tag: LanguageIdentifier = language.code().parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![tag]);
    // Plain text: some programs would show isolation marks around names, and they would break addresses.
    bundle.set_use_isolating(false);
    for text in texts(language) {
        // A test reads the files; messages that cannot be parsed are left out.
        let resource = FluentResource::try_new(text.to_owned()).unwrap_or_else(|(read, _)| read);
        bundle.add_resource_overriding(resource);
    }
    bundle
}

fn texts(language: Language) -> impl Iterator<Item = &'static str> {
    Variant::ALL.into_iter().map(move |variant| words(variant, language)).chain([source(language)])
}

/// Returns the name of a game.
pub(super) fn name(language: Language, variant: Variant) -> String {
    message(language, &format!("variant-{variant}"), &FluentArgs::new())
}

/// Returns a message in a language, or its key if it does not exist.
pub(super) fn message(language: Language, key: &str, args: &FluentArgs<'_>) -> String {
    let mut errors = Vec::new();
    let bundle = BUNDLES.iter().find(|bundle| bundle.locales.iter().any(|tag| *tag == language.code()));
    let pattern = bundle.and_then(|bundle| Some((bundle, bundle.get_message(key)?.value()?)));
    let text = pattern.map(|(bundle, pattern)| bundle.format_pattern(pattern, Some(args), &mut errors));
    if text.is_none() || !errors.is_empty() {
        tracing::error!(%language, key, ?errors, "a text of an e-mail is missing or incomplete");
    }
    text.map_or_else(|| key.to_owned(), std::borrow::Cow::into_owned)
}

#[cfg(test)]
pub(super) fn is_sound(language: Language) -> bool {
    texts(language).all(|text| FluentResource::try_new(text.to_owned()).is_ok())
}
