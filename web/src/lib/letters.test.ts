import { describe, expect, it } from 'vitest';
import { englishSan, localSan } from './letters';

const roles = [
  { name: 'king', letter: 'K' },
  { name: 'queen', letter: 'Q' },
  { name: 'rook', letter: 'R' },
  { name: 'bishop', letter: 'B' },
  { name: 'knight', letter: 'N' },
  { name: 'pawn', letter: 'P' },
];
const french: Record<string, string> = {
  king: 'R',
  queen: 'D',
  rook: 'T',
  bishop: 'F',
  knight: 'C',
  pawn: 'P',
};
const letterOf = (role: string): string => french[role] ?? '?';

describe('localised SAN', () => {
  it.each([
    ['Nf3', 'Cf3'],
    ['Rxe1+', 'Txe1+'],
    ['Kd2', 'Rd2'],
    ['exd8=Q#', 'exd8=D#'],
    ['O-O-O', 'O-O-O'],
    ['Bxd5(c4,a5)', 'Fxd5(c4,a5)'],
  ])('%s is shown as %s and read back', (english, shown) => {
    expect(localSan(english, roles, letterOf)).toBe(shown);
    expect(englishSan(shown, roles, letterOf)).toBe(english);
  });
});
