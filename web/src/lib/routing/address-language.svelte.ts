import { isLanguage, type Language } from '../i18n/languages';

/**
 * Splits a path into the language that it names, if any, and the rest: for example, `/en/rules`
 * into `en` and `/rules`.
 */
export function splitLanguage(path: string): { language: Language | null; path: string } {
  const [, first = ''] = path.split('/', 2);
  if (!isLanguage(first)) return { language: null, path };
  return { language: first, path: path.slice(first.length + 1) || '/' };
}

/** Prefixes a path with a language; returns it unchanged if the language is null. */
export const withLanguage = (language: Language | null, path: string): string =>
  language === null ? path : `/${language}${path}`;

/**
 * The language that this document's address names, such as `en` in `/en/rules`; null if it names
 * none, in which case the visitor's own choice applies. Links on the page keep the language.
 */
class AddressLanguage {
  current = $state<Language | null>(null);
}

export const addressLanguage = new AddressLanguage();
