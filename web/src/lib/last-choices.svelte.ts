import { Kept } from './kept.svelte';
import { readControls } from './presets.svelte';
import { isVariant, usualVariant, type Variant } from './variants';
import { matchLengths, opponents, type MatchLength, type Opponent } from './wish';
import type { ColorChoice, DrawRules, Level, TimeControl } from './api';

/** The game that the visitor last chose or looked at: links that name no game lead to it. */
export const lastVariant = new Kept<Variant>(
  'variant',
  (text) => (text !== null && isVariant(text) ? text : usualVariant),
  (variant) => variant,
);

export const colorChoices = ['white', 'random', 'black'] as const satisfies readonly ColorChoice[];
export const drawRuleChoices = ['club', 'fide'] as const satisfies readonly DrawRules[];
const levels = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const satisfies readonly Level[];

/** What was last chosen for a new game. Starts and names are not kept: they belong to one game. */
export interface LastChoices {
  readonly opponent: Opponent;
  readonly level: Level;
  readonly color: ColorChoice;
  readonly control: TimeControl;
  readonly touchMove: boolean;
  readonly drawRules: DrawRules;
  readonly casual: boolean;
  readonly games: MatchLength;
}

const usual: LastChoices = {
  opponent: 'machine',
  level: 3,
  color: 'random',
  control: { type: 'unlimited' },
  touchMove: false,
  drawRules: 'club',
  casual: true,
  games: '1',
};

/** Reads each choice by itself: one that this page does not know has its usual value. */
export function readChoices(text: string | null): LastChoices {
  let found: Record<string, unknown> = {};
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value === 'object' && value !== null) found = { ...value };
  } catch {
    // Written by something else.
  }
  const among = <T>(name: keyof LastChoices, all: readonly T[], otherwise: T): T =>
    all.find((each) => each === found[name]) ?? otherwise;
  const [control = usual.control] = readControls(JSON.stringify([found['control']]));
  return {
    opponent: among('opponent', opponents, usual.opponent),
    level: among<Level>('level', levels, usual.level),
    color: among('color', colorChoices, usual.color),
    control,
    touchMove: found['touchMove'] === true,
    drawRules: among('drawRules', drawRuleChoices, usual.drawRules),
    casual: found['casual'] !== false,
    games: among('games', matchLengths, usual.games),
  };
}

export const lastChoices = new Kept<LastChoices>('new-game', readChoices, JSON.stringify);
