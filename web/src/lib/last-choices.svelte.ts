import { Persisted } from './persisted.svelte';
import { readControls } from './presets.svelte';
import { readStored } from './storage';
import { isVariant, defaultVariant, type Variant } from './variants';
import { matchLengths, opponents, type MatchLength, type Opponent } from './game-request';
import { levels } from './levels';
import type { ColorChoice, DrawRules, Level, TimeControl } from './api';

/** The game that the visitor chose or viewed last; links that do not name a game lead to it. */
export const lastVariant = new Persisted<Variant>(
  'variant',
  (text) => (text !== null && isVariant(text) ? text : defaultVariant),
  (variant) => variant,
);

export const colorChoices = ['white', 'random', 'black'] as const satisfies readonly ColorChoice[];
export const drawRuleChoices = ['club', 'fide'] as const satisfies readonly DrawRules[];

/** The settings last chosen for a new game, except the variant, start and opponent's name. */
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

const defaults: LastChoices = {
  opponent: 'machine',
  level: 3,
  color: 'random',
  control: { type: 'unlimited' },
  touchMove: false,
  drawRules: 'club',
  casual: true,
  games: '1',
};

/** Reads each setting separately; an unknown value is replaced by the default. */
export function readChoices(text: string | null): LastChoices {
  let found: Record<string, unknown> = {};
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    if (typeof value === 'object' && value !== null) found = { ...value };
  } catch {
    // The stored value was not written by this page.
  }
  const oneOf = <T>(name: keyof LastChoices, all: readonly T[], fallback: T): T =>
    all.find((each) => each === found[name]) ?? fallback;
  const [control = defaults.control] = readControls(JSON.stringify([found['control']]));
  return {
    opponent: oneOf('opponent', opponents, defaults.opponent),
    level: oneOf<Level>('level', levels, defaults.level),
    color: oneOf('color', colorChoices, defaults.color),
    control,
    touchMove: found['touchMove'] === true,
    drawRules: oneOf('drawRules', drawRuleChoices, defaults.drawRules),
    casual: found['casual'] !== false,
    games: oneOf('games', matchLengths, defaults.games),
  };
}

export const lastChoices = new Persisted<LastChoices>('new-game', readChoices, JSON.stringify);

/** The member to challenge in the next new-game form; set by pages that offer a challenge. */
class ChallengedName {
  current = '';

  /** Returns the name and clears it. */
  take(): string {
    const name = this.current;
    this.current = '';
    return name;
  }
}

export const challengedName = new ChallengedName();

/** Returns true if a game has been requested with the form in this browser. */
export const hasPlayed = (): boolean => readStored('new-game') !== null;
