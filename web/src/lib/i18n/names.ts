/** The names of games and men in the language in use. */
import type { Color } from '../api';
import { isVariant, type Role } from '../variants';
import { i18n, t } from './i18n.svelte';

/** The name of a game; one newer than this page is called as it calls itself. */
export const variantName = (variant: string): string =>
  isVariant(variant) ? t(`variant-${variant}`) : variant;

/** A man by its kind and its colour: `cavalier blanc`. */
export const pieceName = (color: Color, role: Role): string => t(`piece-${role}`, { color });

/** The letter of a role where turns are written down. */
export const letterOf = (role: Role): string => t(`letter-${role}`);

/** How a game has ended; a way newer than this page is called by its code. */
export const outcomeWords = (reason: string): string => i18n.lookup(`reason-${reason}`) ?? reason;
