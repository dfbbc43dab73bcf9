import { describe, expect, it } from 'vitest';
import type { InfoView } from '../analysis-types';
import { withLine } from './lines';

function line(number: number, depth: number, turn: string): InfoView {
  const reported = { centipawns: 0, mate: null, expected: 0.5, bound: null };
  const counted = { selectiveDepth: depth, nodes: 20, threads: 1, elapsedMs: 1 };
  return { depth, line: number, ...reported, ...counted, pv: [{ text: turn, san: turn }] };
}

function summaries(lines: readonly InfoView[]): string[] {
  return lines.map((info, at) => {
    expect(info.line).toBe(at + 1);
    return `${info.pv[0]?.text} ${info.depth}`;
  });
}

describe('lines at several depths', () => {
  const first = [line(1, 8, 'c2c4'), line(2, 8, 'e2e4'), line(3, 8, 'g1f3')].reduce(
    withLine,
    [] as readonly InfoView[],
  );

  it('are sorted by their numbers', () => {
    expect(summaries(first)).toEqual(['c2c4 8', 'e2e4 8', 'g1f3 8']);
  });

  it('change places when another turn becomes the best one', () => {
    const next = withLine(first, line(1, 9, 'g1f3'));
    expect(summaries(next)).toEqual(['g1f3 9', 'e2e4 8', 'c2c4 8']);
    expect(summaries(withLine(next, line(2, 9, 'c2c4')))).toEqual(['g1f3 9', 'c2c4 9', 'e2e4 8']);
  });

  it('never list a turn twice, not even when another line is added', () => {
    const next = withLine(first.slice(0, 2), line(3, 9, 'c2c4'));
    expect(summaries(next)).toEqual(['e2e4 8', 'c2c4 9']);
    expect(summaries(withLine(next, line(3, 9, 'g1f3')))).toEqual(['e2e4 8', 'c2c4 9', 'g1f3 9']);
  });

  it('are replaced when another turn takes their place', () => {
    const next = withLine(first, line(2, 9, 'd2d4'));
    expect(summaries(next)).toEqual(['c2c4 8', 'd2d4 9', 'g1f3 8']);
  });
});
