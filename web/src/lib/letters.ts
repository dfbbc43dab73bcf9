import type { RoleView } from './rules-types';
import type { Role } from './variants';

/** The letter of a role in the language in use. */
type LetterOf = (role: Role) => string;

function replaceCapitals(text: string, letters: ReadonlyMap<string, string>): string {
  // Castling is written with the letter O, which no game and language has for a man.
  return text.replace(/[A-Z]/g, (letter) => letters.get(letter) ?? letter);
}

/** A SAN as it is shown: files always hold the English letters. */
export function localSan(san: string, roles: readonly RoleView[], letterOf: LetterOf): string {
  return replaceCapitals(san, new Map(roles.map(({ name, letter }) => [letter, letterOf(name)])));
}

/** Translates a typed turn from localised letters to English ones. */
export function englishSan(text: string, roles: readonly RoleView[], letterOf: LetterOf): string {
  return replaceCapitals(text, new Map(roles.map(({ name, letter }) => [letterOf(name), letter])));
}

/**
 * The readings of a typed turn, in English letters, the likeliest first: with a number before it, with small letters for pieces or
 * capitals for files, castling without hyphens. A letter that the language has for a piece means no other one.
 */
export function typedReadings(
  typed: string,
  roles: readonly RoleView[],
  letterOf: LetterOf,
): string[] {
  const text = typed.trim().replace(/^\d+\s*(?:\.|…)[\s.…]*/, '');
  const castling = /^([o0])[-–—]?\1([-–—]?\1)?([+#!?]*)$/i.exec(text);
  if (castling) return [`${castling[2] === undefined ? 'O-O' : 'O-O-O'}${castling[3] ?? ''}`];
  const local = new Map(roles.map(({ name, letter }) => [letterOf(name), letter]));
  const english = new Set(roles.map(({ letter }) => letter));
  const meaning = (letter: string): string | undefined => {
    const capital = letter.toUpperCase();
    return local.get(capital) ?? (english.has(capital) ? capital : undefined);
  };
  const isCoordinates = /^(?:[a-h][1-8]){2}[a-z]$/i.test(text);
  const promoted = (san: string): string =>
    san.replace(
      /([a-h][18][=/(]?)([a-z])(?=\)?[+#!?]*$)/i,
      (all: string, square: string, letter: string) => {
        const role = meaning(letter);
        if (role === undefined) return all;
        return square.toLowerCase() + (isCoordinates ? role.toLowerCase() : role);
      },
    );
  const pieces = (san: string): string =>
    san.replace(/[A-Z]/g, (letter) => meaning(letter) ?? letter);
  const [first = '', rest] = [text.charAt(0), text.slice(1)];
  const small = text.toLowerCase();
  // A promotion is read before the capitals: each letter is translated once.
  const tail = /[=/(]?[a-z]\)?[+#!?]*$/i.exec(text)?.[0] ?? '';
  const translated = (san: string): string => {
    const withPromotion = promoted(san);
    if (withPromotion === san || tail === '') return pieces(san);
    const split = withPromotion.length - tail.length;
    return pieces(withPromotion.slice(0, split)) + withPromotion.slice(split);
  };
  const readings = [translated(text)];
  const piece = meaning(first);
  if (piece !== undefined) {
    readings.push(piece + promoted(rest), piece + promoted(rest.toLowerCase()));
  }
  if (/^[a-h]/.test(small)) readings.push(promoted(small));
  return [...new Set(readings)];
}
