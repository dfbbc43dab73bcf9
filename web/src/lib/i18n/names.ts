/** Names of games and pieces in the current language. */
import type { Color } from '../api';
import { isVariant, type Role } from '../variants';
import { localSan } from '../letters';
import { isChessPiece } from '../pieces/sets';
import { preferences } from '../preferences.svelte';
import type { RoleView } from '../rules-types';
import { i18n, t } from './i18n.svelte';

/** Returns the name of a game, or its identifier if the game is newer than this page. */
export const variantName = (variant: string): string =>
  isVariant(variant) ? t(`variant-${variant}`) : variant;

/** Returns the name of a piece with its colour: `cavalier blanc`. */
export const pieceName = (color: Color, role: Role): string => t(`piece-${role}`, { color });

/** Returns the letter of a role in notation. */
export const letterOf = (role: Role): string => t(`letter-${role}`);

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

/**
 * Translates SAN for display: with figurines if the visitor prefers them and every piece of the
 * game has one, otherwise with the letters of the current language.
 */
export function shownSan(san: string, roles: readonly RoleView[]): string {
  const figurines = new Map<string, string>();
  if (preferences.notation.current === 'figurines')
    for (const { name, letter } of roles) {
      const figurine = FIGURINES[letter];
      if (figurine !== undefined && isChessPiece(name, letter))
        figurines.set(name, figurine + TEXT_VARIATION_SELECTOR);
    }
  const hasAll = figurines.size === roles.length;
  return localSan(san, roles, (role) =>
    hasAll ? (figurines.get(role) ?? letterOf(role)) : letterOf(role),
  );
}

/** Describes how a game ended, or returns the code if it is newer than this page. */
export const outcomeText = (reason: string): string => i18n.lookup(`reason-${reason}`) ?? reason;
