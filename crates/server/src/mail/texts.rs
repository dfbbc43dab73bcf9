//! The words of mails: from the same files as those of the page, put into the program when it is built.

use std::sync::LazyLock;

use adoube_notation::Language;
use fluent_bundle::{FluentArgs, FluentResource, concurrent::FluentBundle};
use unic_langid::LanguageIdentifier;

type Bundle = FluentBundle<FluentResource>;

static BUNDLES: LazyLock<[Bundle; 3]> = LazyLock::new(|| Language::ALL.map(bundle));

fn source(language: Language) -> &'static str {
    match language {
        Language::Spanish => include_str!("../../../../locales/es/mail.ftl"),
        Language::English => include_str!("../../../../locales/en/mail.ftl"),
        // French is the reference: what has no words of its own has those.
        _ => include_str!("../../../../locales/fr/mail.ftl"),
    }
}

fn bundle(language: Language) -> Bundle {
    let tag: LanguageIdentifier = language.code().parse().unwrap_or_default();
    let mut bundle = Bundle::new_concurrent(vec![tag]);
    // Plain text: marks of direction around names would be seen by some programs, and break addresses.
    bundle.set_use_isolating(false);
    // A test reads the files; a part that cannot be read leaves the rest.
    let resource = FluentResource::try_new(source(language).to_owned()).unwrap_or_else(|(read, _)| read);
    bundle.add_resource_overriding(resource);
    bundle
}

/// Returns a message in a language, or the name of the message if there is none.
pub(super) fn message(language: Language, key: &str, args: &FluentArgs<'_>) -> String {
    let mut errors = Vec::new();
    let bundle = BUNDLES.iter().find(|bundle| bundle.locales.iter().any(|tag| *tag == language.code()));
    let pattern = bundle.and_then(|bundle| Some((bundle, bundle.get_message(key)?.value()?)));
    let text = pattern.map(|(bundle, pattern)| bundle.format_pattern(pattern, Some(args), &mut errors));
    if text.is_none() || !errors.is_empty() {
        tracing::error!(%language, key, ?errors, "a mail lacks words");
    }
    text.map_or_else(|| key.to_owned(), std::borrow::Cow::into_owned)
}

#[cfg(test)]
pub(super) fn is_sound(language: Language) -> bool {
    FluentResource::try_new(source(language).to_owned()).is_ok()
}
