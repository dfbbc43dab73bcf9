import { describe, expect, it } from 'vitest';
import {
  accuracyOf,
  accuracyOfSide,
  judge,
  lossOf,
  nextFault,
  verdictOf,
  type Evaluation,
  type JudgedTurn,
} from './report';
import type { InfoView } from '../analysis-types';

function evaluation(expected: number, best = 'a2a3'): Evaluation {
  const pv = [{ text: best, san: best }];
  const info: InfoView = {
    depth: 8,
    threads: 1,
    selectiveDepth: 12,
    line: 1,
    centipawns: 0,
    mate: null,
    expected,
    bound: null,
    nodes: 30_000,
    elapsedMs: 60,
    pv,
  };
  return { expected, best: info };
}

describe('report', () => {
  it('counts points lost, never points gained', () => {
    expect(lossOf('white', 0.6, 0.4)).toBeCloseTo(0.2);
    expect(lossOf('black', 0.4, 0.6)).toBeCloseTo(0.2);
    expect(lossOf('white', 0.4, 0.6)).toBe(0);
  });

  it('finds the next mistake by the same side', () => {
    const turn = (index: number, verdict: JudgedTurn['verdict']): JudgedTurn => ({
      index,
      color: index % 2 === 0 ? 'white' : 'black',
      before: evaluation(0.5),
      after: evaluation(0.5),
      loss: 0,
      verdict,
    });
    const [first, byBlack, none, next] = [
      turn(0, 'mistake'),
      turn(1, 'blunder'),
      turn(2, null),
      turn(4, 'inaccuracy'),
    ] as const;
    const all = [first, byBlack, none, next];
    expect(nextFault(all, first)).toBe(next);
    expect(nextFault(all, next)).toBeNull();
    expect(nextFault(all, byBlack)).toBeNull();
  });

  it('classifies a loss by its size', () => {
    expect([0, 0.049, 0.05, 0.1, 0.149, 0.15, 1].map(verdictOf)).toEqual([
      null,
      null,
      'inaccuracy',
      'mistake',
      'mistake',
      'blunder',
      'blunder',
    ]);
  });

  it('judges each turn by the positions before and after it', () => {
    const turns = [
      { color: 'white', text: 'e2e4' },
      { color: 'black', text: 'f7f6' },
      { color: 'white', text: 'a2a3' },
    ] as const;
    const evaluations = [0.5, 0.52, 0.7, 0.6].map((expected) => evaluation(expected));
    const judged = judge(turns, evaluations);
    expect(judged.map(({ verdict }) => verdict)).toEqual([null, 'blunder', null]);
    // The engine's own choice is not a mistake, though the next search scores it lower.
    expect(judged[2]?.loss).toBe(0);
  });

  it('skips turns without an evaluation', () => {
    expect(judge([{ color: 'white', text: 'e2e4' }], [evaluation(0.5)])).toEqual([]);
  });

  it("averages the accuracy of a side's turns", () => {
    expect(accuracyOf(0)).toBeCloseTo(100, 3);
    expect(accuracyOf(0.1)).toBeGreaterThan(60);
    expect(accuracyOf(0.1)).toBeLessThan(66);
    expect(accuracyOf(1)).toBe(0);
    const turns = [
      { color: 'white', text: 'e2e4' },
      { color: 'black', text: 'f7f6' },
    ] as const;
    const judged = judge(turns, [evaluation(0.5), evaluation(0.5), evaluation(0.6)]);
    expect(accuracyOfSide(judged, 'white')).toBeCloseTo(100, 3);
    expect(accuracyOfSide(judged, 'black')).toBeCloseTo(accuracyOf(0.1), 6);
    expect(accuracyOfSide([], 'white')).toBeNull();
  });
});
