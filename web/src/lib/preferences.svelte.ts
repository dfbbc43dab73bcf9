import { persistedPercent, persistedSwitch, persistedChoice } from './persisted.svelte';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const pieceSets = ['classic', 'mechanism'] as const;
export type PieceSet = (typeof pieceSets)[number];

/** The games in which a turn is sent only after confirmation. */
export const confirmations = ['never', 'correspondence', 'always'] as const;
export type Confirmation = (typeof confirmations)[number];

/** Whether there is room for little more than a board. Tests may run without a window. */
const isPhone =
  globalThis.matchMedia?.('(max-width: 39.99rem), (max-height: 30rem)').matches ?? false;

/** The visitor's preferences, stored in the browser. */
export const preferences = {
  theme: persistedChoice('theme', themes),
  /** The telling drawings by default: a rook's shape says nothing about how a coordinator goes. */
  pieces: persistedChoice('pieces', pieceSets, 'mechanism'),
  coordinates: persistedSwitch('coordinates', true),
  /** The squares where the man in hand can go are marked. */
  hints: persistedSwitch('hints', true),
  /** Men glide from square to square. */
  glides: persistedSwitch('glides', true),
  confirmation: persistedChoice('confirmation', confirmations, 'correspondence'),
  premoves: persistedSwitch('premoves', true),
  /** Only the board, the clocks and questions that need an answer: on a phone unless wanted otherwise. */
  zen: persistedSwitch('zen', isPhone),
  sounds: persistedSwitch('sounds', true),
  volume: persistedPercent('volume', 60),
  /** Wanted, and allowed by the browser when it was asked. */
  notifications: persistedSwitch('notifications', false),
} as const;

/** Applies the chosen theme. Without one, the style sheet follows the system. */
export function applyTheme(): void {
  const theme = preferences.theme.current;
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
