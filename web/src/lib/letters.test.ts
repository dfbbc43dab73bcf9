import { describe, expect, it } from 'vitest';
import { localSan, typedReadings } from './letters';
import type { RoleView } from './rules-types';

const roles: readonly RoleView[] = [
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
    expect(typedReadings(shown, roles, letterOf)).toContain(english);
  });
});

describe('typed turns', () => {
  const of = (typed: string, letters = letterOf): string[] => typedReadings(typed, roles, letters);
  const englishLetters = (role: string): string =>
    roles.find(({ name }) => name === role)?.letter ?? '?';

  it.each([
    ['Cf3', 'Nf3'],
    ['cf3', 'Nf3'],
    ['1.e4', 'e4'],
    ['12... Cf6', 'Nf6'],
    ['3…Cf6', 'Nf6'],
    ['E4', 'e4'],
    ['EXD5', 'exd5'],
    ['OO', 'O-O'],
    ['oo', 'O-O'],
    ['00', 'O-O'],
    ['0-0', 'O-O'],
    ['o-o-o', 'O-O-O'],
    ['000', 'O-O-O'],
    ['OOO+', 'O-O-O+'],
    ['a8=D', 'a8=Q'],
    ['a8=d', 'a8=Q'],
    ['a8d', 'a8Q'],
    ['a8(d)', 'a8(Q)'],
    ['bxa8=d+', 'bxa8=Q+'],
    ['A8=D', 'a8=Q'],
    ['a7a8d', 'a7a8q'],
    ['a7a8q', 'a7a8q'],
    ['a8=q', 'a8=Q'],
    ['a8=c', 'a8=N'],
    ['e2e4', 'e2e4'],
    ['Nf3', 'Nf3'],
    ['txe1', 'Rxe1'],
    ['TXE1', 'Rxe1'],
    ['rd2', 'Kd2'],
    ['0', '0'],
    ['10', '10'],
  ])('%s may mean %s in French', (typed, meant) => {
    expect(of(typed)).toContain(meant);
  });

  it('are read first as a pawn move if a lower-case letter is ambiguous', () => {
    expect(of('bxc3', englishLetters).slice(0, 2)).toEqual(['bxc3', 'Bxc3']);
    expect(of('nf3', englishLetters)).toContain('Nf3');
    expect(of('E4', englishLetters)).toContain('e4');
    expect(of('a8=q', englishLetters)).toContain('a8=Q');
    expect(of('dd4')).toContain('Qd4');
  });

  it('have no reading in which a local letter counts as an English one', () => {
    for (const typed of ['a8=r', 'a8=R', 'a8r', 'Rd1', 'rd1']) {
      expect(of(typed).filter((reading) => /R/.test(reading) || /=?r$/.test(reading))).toEqual([]);
    }
  });
});
