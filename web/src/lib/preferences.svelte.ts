import { keptPercent, keptSwitch, keptWord } from './kept.svelte';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const pieceSets = ['classic', 'mechanism'] as const;
export type PieceSet = (typeof pieceSets)[number];

/** In which games a turn is sent only after a second word. */
export const confirmations = ['never', 'correspondence', 'always'] as const;
export type Confirmation = (typeof confirmations)[number];

/** The choices of a visitor, kept from one visit to the next. */
export const preferences = {
  theme: keptWord('theme', themes),
  /** The telling drawings by default: a rook's shape says nothing about how a coordinator goes. */
  pieces: keptWord('pieces', pieceSets, 'mechanism'),
  coordinates: keptSwitch('coordinates', true),
  /** The squares where the man in hand can go are marked. */
  hints: keptSwitch('hints', true),
  /** Men glide from square to square. */
  glides: keptSwitch('glides', true),
  confirmation: keptWord('confirmation', confirmations, 'correspondence'),
  premoves: keptSwitch('premoves', true),
  /** Only the board, the clocks and questions that need an answer. */
  zen: keptSwitch('zen', false),
  sounds: keptSwitch('sounds', true),
  volume: keptPercent('volume', 60),
  /** Wanted, and allowed by the browser when it was asked. */
  notifications: keptSwitch('notifications', false),
} as const;

/** The style sheet follows the system unless the root element names a theme. */
export function applyTheme(): void {
  const theme = preferences.theme.current;
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
