import { describe, expect, it } from 'vitest';
import type { Solution, SolutionBranch } from '../api';
import type { Position } from '../rules';
import { lineText, treeLine } from './tree';

/** Creates a fake position that knows only the turns played. */
const at = (...played: string[]): Position =>
  ({ currentSteps: played.join(' '), playTurn: (turn: string) => at(...played, turn) }) as Position;

/** Formats a turn in capitals; throws if the turn was already played. */
const write = (position: Position, turn: string): string => {
  if (position.currentSteps.split(' ').includes(turn)) throw new Error(`${turn} was played`);
  return turn.toUpperCase();
};

const leaf = (turn: string, others: string[] = []): SolutionBranch => ({
  turn,
  others,
  replies: [],
});

describe('a formatted solution', () => {
  it("is numbered by the solver's turns", () => {
    expect(lineText(at(), ['a', 'b', 'c', 'd', 'e'], write)).toBe('1. A B 2. C D 3. E');
    expect(lineText(at(), [], write)).toBe('');
  });

  it('lists replies with the same answer on one line', () => {
    const solution: Solution = {
      complete: true,
      first: {
        turn: 'key',
        others: [],
        replies: [
          { turn: 'x', then: { ...leaf('deep'), replies: [{ turn: 'y', then: leaf('end') }] } },
          { turn: 'p', then: leaf('mate') },
          { turn: 'q', then: leaf('mate', ['dual']) },
          { turn: 'r', then: leaf('mate') },
        ],
      },
    };
    expect(treeLine(at(), solution, write)).toEqual({
      text: '1. KEY',
      others: [],
      children: [
        {
          text: '1… X 2. DEEP',
          others: [],
          children: [{ text: '2… Y 3. END', others: [], children: [] }],
        },
        { text: '1… P, R 2. MATE', others: [], children: [] },
        { text: '1… Q 2. MATE', others: ['DUAL'], children: [] },
      ],
    });
  });
});
