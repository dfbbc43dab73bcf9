import { describe, expect, it } from 'vitest';
import { withLine, withoutLine, type Lines } from './lines';

const play = (lines: Lines, text: string): Lines => withLine(lines, text.split(' '));

describe('the lines of a solution', () => {
  it('are extended by the turns played', () => {
    let lines: Lines = [];
    for (const text of ['a1a2', 'a1a2 h8h7', 'a1a2 h8h7 a2h2']) lines = play(lines, text);
    expect(lines).toEqual([['a1a2', 'h8h7', 'a2h2']]);
  });

  it('branch when another reply is played', () => {
    const one = play([], 'a1a2 h8h7 a2h2');
    expect(play(one, 'a1a2')).toBe(one);
    const two = play(one, 'a1a2 h8g8');
    expect(two).toEqual([
      ['a1a2', 'h8h7', 'a2h2'],
      ['a1a2', 'h8g8'],
    ]);
    expect(play(two, 'a1a2 h8g8 a2a8')[1]).toEqual(['a1a2', 'h8g8', 'a2a8']);
  });

  it('can be removed, and an empty line is not added', () => {
    const two = play(play([], 'a1a2 h8h7'), 'a1a2 h8g8');
    expect(withoutLine(two, 0)).toEqual([['a1a2', 'h8g8']]);
    expect(withLine(two, [])).toBe(two);
  });
});
