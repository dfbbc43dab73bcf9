import { describe, expect, it } from 'vitest';
import { arrowOutline, brushOf, chainOf, toggled } from './drawings';
import { centre, SQUARES, squareUnder } from './geometry';
import type { BoardDrawing } from './types';

const arrow: BoardDrawing = { from: 'e2', to: 'e4', brush: 'plain' };

describe('drawing over', () => {
  it('wipes out the same again', () => {
    expect(toggled(toggled([], arrow), { ...arrow })).toEqual([]);
  });

  it('repaints with another brush', () => {
    expect(toggled([arrow], { ...arrow, brush: 'alt' })).toEqual([{ ...arrow, brush: 'alt' }]);
  });

  it('keeps the way back and circles apart', () => {
    const back: BoardDrawing = { from: 'e4', to: 'e2', brush: 'plain' };
    const circle: BoardDrawing = { from: 'e4', to: 'e4', brush: 'plain' };
    expect(toggled(toggled([arrow], back), circle)).toEqual([arrow, back, circle]);
  });
});

it('has a brush for each pair of keys', () => {
  const brushes = [false, true].flatMap((shiftKey) =>
    [false, true].map((altKey) => brushOf({ shiftKey, altKey })),
  );
  expect(brushes).toEqual(['plain', 'alt', 'shift', 'shift-alt']);
});

it('joins the squares of a turn under way, a circle where the man stayed', () => {
  expect(chainOf(['a7', 'c7', 'c7'])).toEqual([
    { from: 'a7', to: 'c7', brush: 'chain' },
    { from: 'c7', to: 'c7', brush: 'chain' },
  ]);
  expect(chainOf(['a7'])).toEqual([]);
  expect(chainOf([])).toEqual([]);
});

describe('the outline of an arrow', () => {
  it('has its tip, and only it, farthest along and on the target', () => {
    for (const to of SQUARES) {
      if (to === 'd4') continue;
      const from = centre('d4', 'black');
      const points = arrowOutline('d4', to, 'black');
      const far = points.map(({ x, y }) => Math.hypot(x - from.x, y - from.y));
      expect(far.indexOf(Math.max(...far))).toBe(3);
      const tip = points[3];
      expect(tip && squareUnder(tip, 'black')).toBe(to);
    }
  });

  it('is alike on both sides', () => {
    const points = arrowOutline('a1', 'a4', 'white');
    const left = points.slice(0, 3).map(({ x, y }) => [0.5 - x, y]);
    const right = points
      .slice(4)
      .reverse()
      .map(({ x, y }) => [x - 0.5, y]);
    expect(left.map((p) => p.map((n) => Math.abs(n ?? 0).toFixed(3)))).toEqual(
      right.map((p) => p.map((n) => Math.abs(n ?? 0).toFixed(3))),
    );
  });
});
