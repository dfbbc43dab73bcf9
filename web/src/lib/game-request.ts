import type { ColorChoice, DrawRules, GameSettings, TimeControl } from './api';
import { games } from './games';
import type { Variant } from './variants';

export const opponents = ['machine', 'anyone', 'friend', 'named'] as const;
export type Opponent = (typeof opponents)[number];

/** The name of a start in any game. */
type NamedStart = { [V in Variant]: keyof (typeof games)[V]['starts'] & string }[Variant];
export type Start = 'usual' | NamedStart | 'same' | 'different' | 'number' | 'fen';

/** Returns a game's named starts, with the number that identifies each side's first rank. */
function namedStarts(variant: Variant): ReadonlyMap<Start, { white: number; black: number }> {
  return new Map(Object.entries(games[variant].starts)) as ReadonlyMap<
    Start,
    { white: number; black: number }
  >;
}

/** Returns the starts that a game offers. */
export function startsOf(variant: Variant): readonly Start[] {
  return ['usual', ...namedStarts(variant).keys(), 'same', 'different', 'number', 'fen'];
}

export const matchLengths = ['1', '3', '5', '7', '9'] as const;
export type MatchLength = (typeof matchLengths)[number];

/** The content of the form for a new game. */
export interface GameRequest {
  variant: Variant;
  opponent: Opponent;
  color: ColorChoice;
  control: TimeControl;
  touchMove: boolean;
  drawRules: DrawRules;
  casual: boolean;
  start: Start;
  /** Number of a shuffled start, the same for both sides. */
  number: number;
  fen: string;
  games: MatchLength;
}

/** Returns the settings for the server, without those that have their default value. */
export function settingsOf(request: GameRequest): GameSettings {
  const { variant, control, touchMove, drawRules, casual, opponent, start } = request;
  const length = Number(request.games);
  const isAgainstPerson = opponent !== 'machine';
  return {
    variant,
    ...startOf(start, request),
    ...(control.type === 'unlimited' ? {} : { timeControl: control }),
    ...(touchMove ? { touchMove } : {}),
    ...(drawRules === 'club' ? {} : { drawRules }),
    ...(isAgainstPerson && !casual ? { casual } : {}),
    ...(isAgainstPerson && length > 1 ? { games: length } : {}),
  };
}

function startOf(
  start: Start,
  { variant, number, fen }: GameRequest,
): Pick<GameSettings, 'fen' | 'shuffle'> {
  switch (start) {
    case 'usual':
      return {};
    case 'same':
    case 'different':
      return { shuffle: { type: 'random', sides: start } };
    case 'number':
      return { shuffle: { type: 'number', white: number, black: number } };
    case 'fen':
      return fen.trim() === '' ? {} : { fen: fen.trim() };
    default: {
      const numbers = namedStarts(variant).get(start);
      return numbers ? { shuffle: { type: 'number', ...numbers } } : {};
    }
  }
}
