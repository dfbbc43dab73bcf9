import type { RoleView } from './rules-types';
import type { Role } from './variants';

/** Returns the letter of a role in the current language. */
type LetterOf = (role: Role) => string;

/** Translates SAN for display. PGN files always use English letters. */
export function localSan(san: string, roles: readonly RoleView[], letterOf: LetterOf): string {
  const letters = new Map(roles.map(({ name, letter }) => [letter, letterOf(name)]));
  // Castling uses the letter O, which does not stand for a piece in any game or language.
  return san.replace(/[A-Z]/g, (letter) => letters.get(letter) ?? letter);
}

/**
 * Returns the possible readings of a typed turn in English letters, most likely first. Allows a
 * move number, lower-case letters for pieces, capitals for files, and castling with zeros or
 * without hyphens. A letter that stands for a piece in the visitor's language is never read as an
 * English one.
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
  const lower = text.toLowerCase();
  // The promotion is translated before the capitals, so that each letter is translated only once.
  const suffix = /[=/(]?[a-z]\)?[+#!?]*$/i.exec(text)?.[0] ?? '';
  const translated = (san: string): string => {
    const withPromotion = promoted(san);
    if (withPromotion === san || suffix === '') return pieces(san);
    const split = withPromotion.length - suffix.length;
    return pieces(withPromotion.slice(0, split)) + withPromotion.slice(split);
  };
  const readings = [translated(text)];
  const piece = meaning(first);
  if (piece !== undefined) {
    readings.push(piece + promoted(rest), piece + promoted(rest.toLowerCase()));
  }
  if (/^[a-h]/.test(lower)) readings.push(promoted(lower));
  return [...new Set(readings)];
}
