import { keptPercent, keptSwitch, keptWord } from './kept.svelte';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export const pieceSets = ['classic', 'mechanism'] as const;
export type PieceSet = (typeof pieceSets)[number];

/** The games in which a turn is sent only after confirmation. */
export const confirmations = ['never', 'correspondence', 'always'] as const;
export type Confirmation = (typeof confirmations)[number];

/** The visitor's preferences, stored in the browser. */
export const preferences = {
  theme: keptWord('theme', themes),
  pieces: keptWord('pieces', pieceSets),
  coordinates: keptSwitch('coordinates', true),
  /** Marks the possible destinations of the selected piece. */
  hints: keptSwitch('hints', true),
  /** Animates moves. */
  glides: keptSwitch('glides', true),
  confirmation: keptWord('confirmation', confirmations, 'correspondence'),
  premoves: keptSwitch('premoves', true),
  /** Hides everything but the board, the clocks, and questions that need an answer. */
  zen: keptSwitch('zen', false),
  sounds: keptSwitch('sounds', true),
  volume: keptPercent('volume', 60),
  /** Notifications are wanted, and the browser has allowed them. */
  notifications: keptSwitch('notifications', false),
} as const;

/** Applies the chosen theme. Without one, the style sheet follows the system. */
export function applyTheme(): void {
  const theme = preferences.theme.current;
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}
