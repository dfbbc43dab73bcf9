/**
 * The report on a game: how many expected points each turn lost.
 *
 * Expected points are the engine's forecast of the result between equal players, from 0 to 1. A
 * loss of 0.1 costs one game in ten.
 */
import type { InfoView } from '../analysis-types';
import type { Color } from '../api';

/** Nodes searched for each position. */
export const REPORT_NODES = 30_000;

/** Evaluation of a position from White's point of view. */
export interface Evaluation {
  /** Expected points for White, from 0 to 1. */
  readonly expected: number;
  /** The best line; null if the game is over. */
  readonly best: InfoView | null;
}

export const verdicts = ['inaccuracy', 'mistake', 'blunder'] as const;
export type Verdict = (typeof verdicts)[number];

/** Minimum loss in expected points for each verdict, the same as on lichess.org. */
const thresholds: Readonly<Record<Verdict, number>> = {
  inaccuracy: 0.05,
  mistake: 0.1,
  blunder: 0.15,
};

/** The PGN mark (NAG) for each verdict. */
export const nagOf: Readonly<Record<Verdict, number>> = { inaccuracy: 6, mistake: 2, blunder: 4 };

/** A played turn and its loss. */
export interface JudgedTurn {
  /** Index of the turn in the game, from 0. */
  readonly index: number;
  readonly color: Color;
  readonly before: Evaluation;
  readonly after: Evaluation;
  /** Expected points lost, from 0 to 1. */
  readonly loss: number;
  readonly verdict: Verdict | null;
}

/** Returns the next turn by the same side that has a verdict; null if there is none. */
export function nextFault(
  judged: readonly JudgedTurn[],
  { index, color }: JudgedTurn,
): JudgedTurn | null {
  const later = judged.filter((each) => each.index > index && each.color === color);
  return later.find(({ verdict }) => verdict !== null) ?? null;
}

/** Returns the expected points that a turn lost for its player. */
export function lossOf(color: Color, before: number, after: number): number {
  const lost = color === 'white' ? before - after : after - before;
  return Math.max(0, lost);
}

export function verdictOf(loss: number): Verdict | null {
  return [...verdicts].reverse().find((verdict) => loss >= thresholds[verdict]) ?? null;
}

/**
 * Returns the accuracy of a turn from 0 to 100. Uses the curve fitted and published by lichess.org
 * (https://lichess.org/page/accuracy), applied to the loss as a percentage.
 */
export function accuracyOf(loss: number): number {
  const accuracy = 103.1668 * Math.exp(-0.04354 * loss * 100) - 3.1669;
  return Math.min(100, Math.max(0, accuracy));
}

/**
 * Judges each turn. `evaluations` has one more entry than there are turns, because the first one is
 * for the initial position.
 */
export function judge(
  turns: readonly { readonly color: Color; readonly text: string }[],
  evaluations: readonly Evaluation[],
): JudgedTurn[] {
  return turns.flatMap(({ color, text }, index) => {
    const [before, after] = [evaluations[index], evaluations[index + 1]];
    if (!before || !after) return [];
    // The next search may score the engine's own choice lower, but no better turn was known.
    const isBest = before.best?.pv[0]?.text === text;
    const loss = isBest ? 0 : lossOf(color, before.expected, after.expected);
    return [{ index, color, before, after, loss, verdict: verdictOf(loss) }];
  });
}

/** Returns the mean accuracy of a side's turns, from 0 to 100; null if it has none. */
export function accuracyOfSide(judged: readonly JudgedTurn[], color: Color): number | null {
  const turns = judged.filter((turn) => turn.color === color);
  if (turns.length === 0) return null;
  return turns.reduce((sum, { loss }) => sum + accuracyOf(loss), 0) / turns.length;
}
