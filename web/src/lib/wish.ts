import type { ColorChoice, DrawRules, GameSettings, TimeControl } from './api';
import type { Variant } from './variants';

export const opponents = ['machine', 'anyone', 'friend', 'named'] as const;
export type Opponent = (typeof opponents)[number];

export const starts = ['usual', 'kings-facing', 'same', 'different', 'number', 'fen'] as const;
export type Start = (typeof starts)[number];

/** The numbers of starts that have a name of their own (B1). */
const namedStarts: Partial<
  Record<Variant, Partial<Record<Start, { white: number; black: number }>>>
> = {
  baroque: { 'kings-facing': { white: 6412, black: 5348 } },
};

/** The starts that a game has. */
export function startsOf(variant: Variant): readonly Start[] {
  return starts.filter((start) => start !== 'kings-facing' || namedStarts[variant]?.[start]);
}

export const matchLengths = ['1', '3', '5', '7', '9'] as const;
export type MatchLength = (typeof matchLengths)[number];

/** What the form of a new game asks for. */
export interface Wish {
  variant: Variant;
  opponent: Opponent;
  color: ColorChoice;
  control: TimeControl;
  touchMove: boolean;
  drawRules: DrawRules;
  casual: boolean;
  start: Start;
  /** The number of a shuffled start, the same for both sides. */
  number: number;
  fen: string;
  games: MatchLength;
}

/** What the server is told of a wish: nothing that goes without saying. */
export function settingsOf(wish: Wish): GameSettings {
  const { variant, control, touchMove, drawRules, casual, opponent, start } = wish;
  const games = Number(wish.games);
  const isAgainstPerson = opponent !== 'machine';
  return {
    variant,
    ...startOf(start, wish),
    ...(control.type === 'unlimited' ? {} : { timeControl: control }),
    ...(touchMove ? { touchMove } : {}),
    ...(drawRules === 'club' ? {} : { drawRules }),
    ...(isAgainstPerson && !casual ? { casual } : {}),
    ...(isAgainstPerson && games > 1 ? { games } : {}),
  };
}

function startOf(
  start: Start,
  { variant, number, fen }: Wish,
): Pick<GameSettings, 'fen' | 'shuffle'> {
  switch (start) {
    case 'usual':
      return {};
    case 'kings-facing': {
      const numbers = namedStarts[variant]?.[start];
      return numbers ? { shuffle: { type: 'number', ...numbers } } : {};
    }
    case 'same':
    case 'different':
      return { shuffle: { type: 'random', sides: start } };
    case 'number':
      return { shuffle: { type: 'number', white: number, black: number } };
    case 'fen':
      return fen.trim() === '' ? {} : { fen: fen.trim() };
  }
}
