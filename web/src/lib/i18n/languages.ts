import { negotiateLanguages } from '@fluent/langneg';

export const languages = ['fr', 'en', 'es'] as const;
export type Language = (typeof languages)[number];

/** French is the reference: what it lacks does not exist. */
export const reference: Language = 'fr';

/** Each language by its own name, for the one control that must be readable in all of them. */
export const ownNames: Record<Language, string> = {
  fr: 'Français',
  en: 'English',
  es: 'Español',
};

export function isLanguage(text: string | null): text is Language {
  return languages.some((language) => language === text);
}

/** The language for a visitor: the one kept, else the first wanted one that exists, else French. */
export function chooseLanguage(kept: string | null, wanted: readonly string[]): Language {
  if (isLanguage(kept)) return kept;
  // The negotiation does not know regions made of digits, such as the one of `es-419`.
  const wider = wanted.flatMap((tag) => [tag, tag.split('-', 1)[0] ?? tag]);
  const [first] = negotiateLanguages(wider, languages, {
    strategy: 'lookup',
    defaultLocale: reference,
  });
  return languages.find((language) => language === first) ?? reference;
}

/**
 * The first tag with a region that the visitor wants of this language, such as `en-US`: regions write dates in their own
 * ways. For those who want none, English is written as the messages are spelt.
 */
export function regionOf(language: Language, wanted: readonly string[]): string {
  const own = wanted.find((tag) => tag.toLowerCase().startsWith(`${language}-`));
  return own ?? (language === 'en' ? 'en-GB' : language);
}
