import { beforeAll, describe, expect, it } from 'vitest';
import type { Rules } from '../rules';
import {
  countOf,
  linesOf,
  positionAt,
  treeAt,
  withCondition,
  withoutCondition,
} from './conditions';
import { chessStart, rulesForTests } from './fixtures';

let rules: Rules;
beforeAll(() => {
  rules = rulesForTests();
});

describe('conditional turns', () => {
  const first = withCondition([], [], 'e7e5', 'g1f3');
  const tree = withCondition(withCondition(first, ['e7e5'], 'b8c6', 'f1b5'), [], 'c7c5', 'b1c3');

  it('can extend any line', () => {
    expect(tree).toEqual([
      { reply: 'e7e5', answer: 'g1f3', then: [{ reply: 'b8c6', answer: 'f1b5' }] },
      { reply: 'c7c5', answer: 'b1c3' },
    ]);
    expect(countOf(tree)).toBe(3);
    expect(treeAt(tree, ['e7e5'])).toEqual([{ reply: 'b8c6', answer: 'f1b5' }]);
    expect(treeAt(tree, ['a7a6'])).toEqual([]);
  });

  it('have one answer for each reply', () => {
    expect(withCondition(tree, [], 'c7c5', 'g1f3').at(-1)).toEqual({
      reply: 'c7c5',
      answer: 'g1f3',
    });
    expect(withCondition(tree, [], 'c7c5', 'g1f3')).toHaveLength(2);
  });

  it('are removed with everything that follows', () => {
    expect(countOf(withoutCondition(tree, [], 'e7e5'))).toBe(1);
    expect(countOf(withoutCondition(tree, ['e7e5'], 'b8c6'))).toBe(2);
  });

  it('lead to a position, and are listed in SAN', () => {
    const start = rules.fromFen('chess', chessStart).playTurn('e2e4');
    expect(positionAt(start, tree, ['e7e5'])?.view.turn).toBe('black');
    expect(positionAt(start, tree, ['a7a6'])).toBeNull();
    expect(linesOf(start, tree)).toEqual([
      { path: [], reply: 'e7e5', replySan: 'e5', answerSan: 'Nf3' },
      { path: ['e7e5'], reply: 'b8c6', replySan: 'Nc6', answerSan: 'Bb5' },
      { path: [], reply: 'c7c5', replySan: 'c5', answerSan: 'Nc3' },
    ]);
  });
});
