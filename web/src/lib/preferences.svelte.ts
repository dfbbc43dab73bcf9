import { games } from './games';
import {
  type Persisted,
  type PersistedText,
  persistedChoice,
  persistedPercent,
  persistedSwitch,
} from './persisted.svelte';
import { type SetName, setNames, setsOf } from './pieces/sets';
import { type Variant, variants } from './variants';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The boards in `tokens.css`, default first. */
export const boards = ['brown', 'green', 'blue', 'grey', 'maple', 'walnut'] as const;

/**
 * The pieces in notation: their letters in the visitor's language, or figurines. In chess,
 * figurines are glyphs. In other games they are pictures and appear only in lists of turns;
 * sentences use letters.
 */
export const notations = ['letters', 'figurines'] as const;

/** The games in which a turn is sent only after confirmation. */
export const confirmations = ['never', 'correspondence', 'always'] as const;
export type Confirmation = (typeof confirmations)[number];

/** Whether the window is so small that a board nearly fills it. Tests may run without a window. */
const isPhone =
  globalThis.matchMedia?.('(max-width: 39.99rem), (max-height: 30rem)').matches ?? false;

/** The size of the smallest board, as a percentage of the largest one that fits. */
export const MIN_BOARD_SIZE = 50;

/**
 * The visitor's preferences, stored in the browser and, for those in `accountPreferences`, with the
 * account.
 */
export const preferences = {
  theme: persistedChoice('theme', themes),
  board: persistedChoice('board', boards),
  /** As a percentage of the largest board that fits. */
  boardSize: persistedPercent('board-size', 100, MIN_BOARD_SIZE),
  coordinates: persistedSwitch('coordinates', true),
  notation: persistedChoice('notation', notations),
  /** Whether to mark the squares where the selected piece can go. */
  hints: persistedSwitch('hints', true),
  /** Whether pieces glide from square to square. */
  glides: persistedSwitch('glides', true),
  /**
   * Whether to promote to the strongest piece without asking, in games where that is nearly always
   * the best choice.
   */
  autoPromotion: persistedSwitch('auto-promotion', false),
  confirmation: persistedChoice('confirmation', confirmations, 'correspondence'),
  premoves: persistedSwitch('premoves', true),
  /**
   * Whether to show only the board, the clocks and questions that need an answer; the default on a
   * phone.
   */
  zen: persistedSwitch('zen', isPhone),
  sounds: persistedSwitch('sounds', true),
  volume: persistedPercent('volume', 60),
  /** Whether notifications are on: chosen by the visitor, and permitted by the browser. */
  notifications: persistedSwitch('notifications', false),
} as const;

/**
 * Returns the games that use the pieces of a game, and therefore share the choice of piece set with
 * it.
 */
export const gamesWithMenOf = (first: Variant): readonly Variant[] =>
  variants.filter((variant) => games[variant].men === first);

/** The games with pieces of their own. Every other game uses the pieces of one of these. */
export const menOwners: readonly Variant[] = variants.filter(
  (variant) => games[variant].men === variant,
);

const men: ReadonlyMap<string, Persisted<SetName>> = new Map(
  menOwners.map((first) => [
    first,
    persistedChoice(`men.${first}`, setNames, setsOf(first)[0] ?? setNames[0]),
  ]),
);

/** Returns the visitor's choice of piece set for a game. */
export function menOf(variant: Variant): Persisted<SetName> {
  const chosen = men.get(games[variant].men);
  if (chosen === undefined) throw new Error(`${variant} shares the men of an unknown game`);
  return chosen;
}

/** Preferences that depend on the device and are not stored with an account. */
const deviceOnly = new Set<PersistedText>([preferences.notifications, preferences.zen]);

/** The preferences that are stored with an account. */
export const accountPreferences: readonly PersistedText[] = [
  ...Object.values<PersistedText>(preferences).filter((preference) => !deviceOnly.has(preference)),
  ...men.values(),
];

/**
 * Applies theme, board and size to the document. If the document has no theme, the style sheet
 * follows the system.
 */
export function applyLooks(): void {
  const { dataset, style } = document.documentElement;
  const theme = preferences.theme.current;
  if (theme === 'system') delete dataset['theme'];
  else dataset['theme'] = theme;
  dataset['board'] = preferences.board.current;
  style.setProperty('--board-scale', String(preferences.boardSize.current / 100));
}
