import type { RoleView } from './rules-types';

/** The letter of a role in the language in use. */
type LetterOf = (role: string) => string;

function replaceCapitals(text: string, letters: ReadonlyMap<string, string>): string {
  // Castling is written with the letter O, which is no piece in any of the games and languages.
  return text.replace(/[A-Z]/g, (letter) => letters.get(letter) ?? letter);
}

/** A SAN as it is shown: files always hold the English letters. */
export function localSan(san: string, roles: readonly RoleView[], letterOf: LetterOf): string {
  return replaceCapitals(san, new Map(roles.map(({ name, letter }) => [letter, letterOf(name)])));
}

/** What a reader of localised letters has typed, in English letters. */
export function englishSan(text: string, roles: readonly RoleView[], letterOf: LetterOf): string {
  return replaceCapitals(text, new Map(roles.map(({ name, letter }) => [letterOf(name), letter])));
}
