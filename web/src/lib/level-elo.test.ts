// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { levelElo, shortLevelElo } from './level-elo';
import { useFrench } from './testing';

beforeAll(useFrench);

it('gives the rating of a level, or its difference from the level below', () => {
  expect(levelElo('chess', 5)).toBe('environ 1550 Elo');
  expect(levelElo('chess', 2)).toBe('200 Elo de plus que le niveau 1');
  expect(levelElo('chess', 10)).toBe('au moins 183 Elo de plus que le niveau 9');
});

it('returns null where nothing was measured', () => {
  expect(levelElo('chess', 1)).toBeNull();
  expect(levelElo('ultima', 5)).toBeNull();
  expect(shortLevelElo('ultima', 4, 5)).toBeNull();
});

it('compares an adjacent level with the one just played', () => {
  expect(shortLevelElo('baroque', 3, 4)).toBe('+209 Elo');
  expect(shortLevelElo('baroque', 4, 3)).toBe('−209 Elo');
  expect(shortLevelElo('chess', 5, 6)).toBe('≈ 1700 Elo');
  // The table has the rating of the fifth level, but not its difference from the fourth.
  expect(shortLevelElo('chess', 5, 4)).toBeNull();
});
