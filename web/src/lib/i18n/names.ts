/** Names of games and pieces in the current language. */
import type { Color } from '../api';
import { isVariant, type Role } from '../variants';
import { i18n, t } from './i18n.svelte';

/** Returns the name of a game; its identifier if the game is newer than this page. */
export const variantName = (variant: string): string =>
  isVariant(variant) ? t(`variant-${variant}`) : variant;

/** Returns the name of a piece with its colour: `cavalier blanc`. */
export const pieceName = (color: Color, role: Role): string => t(`piece-${role}`, { color });

/** Returns the letter of a role in notation. */
export const letterOf = (role: Role): string => t(`letter-${role}`);

/** Describes how a game ended; returns the code if it is newer than this page. */
export const outcomeText = (reason: string): string => i18n.lookup(`reason-${reason}`) ?? reason;
