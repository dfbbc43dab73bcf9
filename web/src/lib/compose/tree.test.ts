import { describe, expect, it } from 'vitest';
import type { Solution, SolutionBranch } from '../api';
import type { Position } from '../rules';
import { lineText, treeLine } from './tree';

/** A position that knows what was played, and nothing of any game. */
const at = (...played: string[]): Position =>
  ({ under: played.join(' '), playTurn: (turn: string) => at(...played, turn) }) as Position;

/** Turns are written in capitals; what is written where they cannot be is a mistake. */
const write = (position: Position, turn: string): string => {
  if (position.under.split(' ').includes(turn)) throw new Error(`${turn} was played`);
  return turn.toUpperCase();
};

const leaf = (turn: string, others: string[] = []): SolutionBranch => ({
  turn,
  others,
  replies: [],
});

describe('a written solution', () => {
  it('is numbered by the turns of the solver', () => {
    expect(lineText(at(), ['a', 'b', 'c', 'd', 'e'], write)).toBe('1. A B 2. C D 3. E');
    expect(lineText(at(), [], write)).toBe('');
  });

  it('has replies that are answered alike on one line', () => {
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
