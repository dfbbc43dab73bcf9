import { describe, expect, it } from 'vitest';
import type { Problem } from '../api';
import { filtersOf, matches } from './themes';

const problem = (turns: number, goal: Problem['goal'], themes: Problem['themes']): Problem => ({
  id: `${goal}-${turns}-${themes.join()}`,
  fen: '',
  goal,
  turns,
  line: [],
  rating: 1000,
  before: null,
  themes,
  retired: false,
});
const problems = [
  problem(2, 'win', ['mate', 'sacrifice']),
  problem(1, 'win', ['mate']),
  problem(2, 'gain', ['fork']),
  problem(2, 'win', ['mate']),
];

describe('problem filters', () => {
  it('are the goals, shortest first, then the themes, most common first', () => {
    expect([...filtersOf(problems)]).toEqual([
      ['gain', 1],
      ['win-1', 1],
      ['win-2', 2],
      ['mate', 3],
      ['sacrifice', 1],
      ['fork', 1],
    ]);
  });

  it('are ordered by number of turns, not as text', () => {
    const goals = [10, 2, 1].map((turns) => problem(turns, 'win', []));
    expect([...filtersOf(goals).keys()]).toEqual(['win-1', 'win-2', 'win-10']);
  });

  it('match problems by goal or theme', () => {
    const matching = (filter: Parameters<typeof matches>[1]): number =>
      problems.filter((each) => matches(each, filter)).length;
    for (const [filter, count] of filtersOf(problems)) expect(matching(filter), filter).toBe(count);
    expect(matching('castling')).toBe(0);
  });
});
