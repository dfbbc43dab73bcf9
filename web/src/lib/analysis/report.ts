/**
 * The report on a game: for each turn, how many of the expected points its player gave away.
 *
 * The points are those that the engine expects of the position, from 0 to 1, in games between equals: 0.1 less is a
 * game in ten.
 */
import type { InfoView } from '../analysis-types';
import type { Color } from '../api';

/** Nodes spent on each position. */
export const REPORT_NODES = 30_000;

/** The evaluation of a position, from White's side. */
export interface Evaluation {
  /** The points that White may expect, from 0 to 1. */
  readonly expected: number;
  /** The best line; null where the game is over. */
  readonly best: InfoView | null;
}

export const verdicts = ['inaccuracy', 'mistake', 'blunder'] as const;
export type Verdict = (typeof verdicts)[number];

/** From which loss on a turn is called so; the thresholds of the large sites, counted in points. */
const thresholds: Readonly<Record<Verdict, number>> = {
  inaccuracy: 0.05,
  mistake: 0.1,
  blunder: 0.15,
};

/** The mark that says the same in a PGN. */
export const nagOf: Readonly<Record<Verdict, number>> = { inaccuracy: 6, mistake: 2, blunder: 4 };

/** A turn that was played, and what came of it. */
export interface Judged {
  /** Which turn of the game, 0 for the first. */
  readonly index: number;
  readonly color: Color;
  readonly before: Evaluation;
  readonly after: Evaluation;
  /** The points given away, from 0 to 1. */
  readonly loss: number;
  readonly verdict: Verdict | null;
}

/** The next fault of the side that played a turn; null where there is none. */
export function nextFault(judged: readonly Judged[], { index, color }: Judged): Judged | null {
  const later = judged.filter((each) => each.index > index && each.color === color);
  return later.find(({ verdict }) => verdict !== null) ?? null;
}

/** How many points of its player a turn gave away. */
export function lossOf(color: Color, before: number, after: number): number {
  const lost = color === 'white' ? before - after : after - before;
  return Math.max(0, lost);
}

export function verdictOf(loss: number): Verdict | null {
  return [...verdicts].reverse().find((verdict) => loss >= thresholds[verdict]) ?? null;
}

/**
 * How well a turn was played, from 0 to 100: the curve that lichess.org has fitted and published
 * (https://lichess.org/page/accuracy), of the loss in percent.
 */
export function accuracyOf(loss: number): number {
  const accuracy = 103.1668 * Math.exp(-0.04354 * loss * 100) - 3.1669;
  return Math.min(100, Math.max(0, accuracy));
}

/** Judges each turn. There is one evaluation more than turns: that of the position before the first one. */
export function judge(
  turns: readonly { readonly color: Color; readonly text: string }[],
  evaluations: readonly Evaluation[],
): Judged[] {
  return turns.flatMap(({ color, text }, index) => {
    const [before, after] = [evaluations[index], evaluations[index + 1]];
    if (!before || !after) return [];
    // A deeper look at the engine's own choice may think less of it, but nothing better was known.
    const isBest = before.best?.pv[0]?.text === text;
    const loss = isBest ? 0 : lossOf(color, before.expected, after.expected);
    return [{ index, color, before, after, loss, verdict: verdictOf(loss) }];
  });
}

/** The mean accuracy of the turns of a side, from 0 to 100; null where it has none. */
export function accuracyOfSide(judged: readonly Judged[], color: Color): number | null {
  const own = judged.filter((turn) => turn.color === color);
  if (own.length === 0) return null;
  return own.reduce((sum, { loss }) => sum + accuracyOf(loss), 0) / own.length;
}
