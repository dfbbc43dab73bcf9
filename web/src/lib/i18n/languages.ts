import { negotiateLanguages } from '@fluent/langneg';

export const languages = ['fr', 'en', 'es'] as const;
export type Language = (typeof languages)[number];

/** French is the reference language: the others have exactly the same messages. */
export const reference: Language = 'fr';

/** Each language's own name, for the one control that must be readable in all of them. */
export const ownNames: Record<Language, string> = {
  fr: 'Français',
  en: 'English',
  es: 'Español',
};

export function isLanguage(text: string | null): text is Language {
  return languages.some((language) => language === text);
}

/**
 * Chooses the visitor's language: the stored one, otherwise the first supported preference,
 * otherwise French.
 */
export function chooseLanguage(
  storedLanguage: string | null,
  accepted: readonly string[],
): Language {
  if (isLanguage(storedLanguage)) return storedLanguage;
  // The negotiation does not accept numeric regions such as `es-419`.
  const wider = accepted.flatMap((tag) => [tag, tag.split('-', 1)[0] ?? tag]);
  const [first] = negotiateLanguages(wider, languages, {
    strategy: 'lookup',
    defaultLocale: reference,
  });
  return languages.find((language) => language === first) ?? reference;
}

/**
 * Returns the visitor's first preferred tag for this language that has a region, such as `en-US`,
 * because date formats differ between regions. Without one, returns the language alone; for
 * English, returns `en-GB`, because the messages use British spelling.
 */
export function regionOf(language: Language, accepted: readonly string[]): string {
  const own = accepted.find((tag) => tag.toLowerCase().startsWith(`${language}-`));
  return own ?? (language === 'en' ? 'en-GB' : language);
}
