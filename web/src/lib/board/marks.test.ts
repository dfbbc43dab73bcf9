import { expect, it } from 'vitest';
import { sameMarks } from './marks';
import type { SquareMarks } from './types';

const none: SquareMarks = {
  selected: false,
  target: false,
  takes: [],
  inPlace: false,
  endangered: false,
  taken: false,
  lastMove: false,
  lastTaken: false,
  check: false,
  pending: false,
  mustContinue: false,
  touched: false,
  binding: false,
  planned: false,
};

it('compares every mark, and the squares of captured pieces one by one', () => {
  expect(sameMarks(none, { ...none, takes: [] })).toBe(true);
  for (const key of Object.keys(none) as (keyof SquareMarks)[])
    if (key !== 'takes') expect(sameMarks(none, { ...none, [key]: true }), key).toBe(false);
  const takes = { ...none, takes: ['e4', 'e5'] as const };
  expect(sameMarks(takes, { ...none, takes: ['e4', 'e5'] })).toBe(true);
  expect(sameMarks(takes, { ...none, takes: ['e5', 'e4'] })).toBe(false);
  expect(sameMarks(takes, { ...none, takes: ['e4'] })).toBe(false);
  expect(sameMarks(none, takes)).toBe(false);
});
