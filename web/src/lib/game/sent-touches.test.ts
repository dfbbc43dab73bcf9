import { expect, it } from 'vitest';
import { SentTouches } from './sent-touches';

it('recognises the refusal of a touch that was in transit when the next turn began', () => {
  const touches = new SentTouches();
  touches.add('first', 'e2');
  touches.clear();
  touches.add('second', 'd2');
  expect([touches.includes('e2'), touches.includes('d2')]).toEqual([false, true]);
  expect(touches.refused('first')).toBe(true);
  expect(touches.refused('second')).toBe(true);
  expect(touches.refused('second')).toBe(false);
});
