/** Names of games and pieces, reasons why games ended, and notation, in the current language. */
import type { Color } from '../api';
import { games } from '../games';
import { isVariant, type Role, type Variant } from '../variants';
import { localSan } from '../letters';
import { isChessPiece } from '../pieces/sets';
import { preferences } from '../preferences.svelte';
import type { RoleView } from '../rules-types';
import { i18n, t } from './i18n.svelte';

/** Returns the name of a game, or its identifier if the game is newer than this page. */
export const variantName = (variant: string): string =>
  isVariant(variant) ? t(`variant-${variant}`) : variant;

/** Returns the name of a piece with its colour, such as `cavalier blanc`. */
export const pieceName = (color: Color, role: Role): string => t(`piece-${role}`, { color });

/** Returns the letter of a role in notation. */
export const letterOf = (role: Role): string => t(`letter-${role}`);

/** Returns true if notation names a moving piece of this role. In chess, it leaves out the pawn. */
export function isNamedInTurns(variant: Variant, role: Role): boolean {
  const { roles, sanListsTaken } = games[variant];
  const letters: Readonly<Record<string, string>> = roles;
  return sanListsTaken || letters[role] !== 'P';
}

const FIGURINES: Readonly<Record<string, string>> = {
  K: '♔',
  Q: '♕',
  R: '♖',
  B: '♗',
  N: '♘',
  P: '♙',
};
/** Requests the text glyph instead of an emoji. */
const TEXT_VARIATION_SELECTOR = '\u{FE0E}';

/** Returns the figurines of a game's pieces by role; null unless every piece has one. */
function glyphsOf(roles: readonly RoleView[]): ReadonlyMap<string, string> | null {
  const glyphs = new Map<string, string>();
  for (const { name, letter } of roles) {
    const glyph = FIGURINES[letter];
    if (glyph === undefined || !isChessPiece(name, letter)) return null;
    glyphs.set(name, glyph + TEXT_VARIATION_SELECTOR);
  }
  return glyphs;
}

/**
 * Translates SAN for display: with figurines if the visitor prefers them and every piece of the
 * game has a glyph, otherwise with the letters of the current language.
 */
export function shownSan(san: string, roles: readonly RoleView[]): string {
  const glyphs = preferences.notation.current === 'figurines' ? glyphsOf(roles) : null;
  return localSan(san, roles, (role) => glyphs?.get(role) ?? letterOf(role));
}

/** A piece in notation that is shown as a picture. */
interface PicturedPiece {
  readonly role: Role;
  /** Its letter in the current language. */
  readonly letter: string;
  /** The text after the letter, such as `xe4`, which must stay on the same line as the picture. */
  readonly bound: string;
}

/**
 * Translates SAN for lists of turns, which can show pictures: if the visitor prefers figurines and
 * not every piece of the game has a glyph, the pieces are separate parts.
 */
export function sanParts(san: string, variant: Variant): readonly (string | PicturedPiece)[] {
  const roles = Object.entries(games[variant].roles).map(([name, letter]): RoleView => ({
    name: name as Role,
    letter,
  }));
  if (preferences.notation.current !== 'figurines' || glyphsOf(roles) !== null)
    return [shownSan(san, roles)];
  return san.split(/(?=[A-Z])/).flatMap((part): (string | PicturedPiece)[] => {
    const role = roles.find(({ letter }) => letter === part.charAt(0))?.name;
    if (role === undefined) return [part];
    const bound = /^[^(;]*/.exec(part.slice(1))?.[0] ?? '';
    const rest = part.slice(1 + bound.length);
    const piece = { role, letter: letterOf(role), bound };
    return rest === '' ? [piece] : [piece, rest];
  });
}

/** Describes how a game ended, or returns the code if it is newer than this page. */
export const outcomeText = (reason: string): string => i18n.lookup(`reason-${reason}`) ?? reason;
