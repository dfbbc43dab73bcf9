import { describe, expect, it } from 'vitest';
import { arrowOutline, brushOf, chainOf, toggled } from './drawings';
import { centre, SQUARES, squareUnder } from './geometry';
import type { BoardDrawing } from './types';

const arrow: BoardDrawing = { from: 'e2', to: 'e4', brush: 'plain' };

describe('drawing over an existing drawing', () => {
  it('removes an identical drawing', () => {
    expect(toggled(toggled([], arrow), { ...arrow })).toEqual([]);
  });

  it('recolours it with another brush', () => {
    expect(toggled([arrow], { ...arrow, brush: 'alt' })).toEqual([{ ...arrow, brush: 'alt' }]);
  });

  it('distinguishes opposite arrows and circles', () => {
    const back: BoardDrawing = { from: 'e4', to: 'e2', brush: 'plain' };
    const circle: BoardDrawing = { from: 'e4', to: 'e4', brush: 'plain' };
    expect(toggled(toggled([arrow], back), circle)).toEqual([arrow, back, circle]);
  });
});

it('has a brush for each combination of modifier keys', () => {
  const brushes = [false, true].flatMap((shiftKey) =>
    [false, true].map((altKey) => brushOf({ shiftKey, altKey })),
  );
  expect(brushes).toEqual(['plain', 'alt', 'shift', 'shift-alt']);
});

it('joins the squares of an unfinished turn, with a circle where the piece stayed', () => {
  expect(chainOf(['a7', 'c7', 'c7'])).toEqual([
    { from: 'a7', to: 'c7', brush: 'chain' },
    { from: 'c7', to: 'c7', brush: 'chain' },
  ]);
  expect(chainOf(['a7'])).toEqual([]);
  expect(chainOf([])).toEqual([]);
});

describe('the outline of an arrow', () => {
  it('has only its tip at the far end, on the target', () => {
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

  it('is symmetric', () => {
    const points = arrowOutline('a1', 'a4', 'white');
    // The arrow points up the a-file, whose centre line is at x = 0.5.
    const left = points.slice(0, 3).map(({ x, y }) => [(0.5 - x).toFixed(3), y.toFixed(3)]);
    const right = points
      .slice(4)
      .reverse()
      .map(({ x, y }) => [(x - 0.5).toFixed(3), y.toFixed(3)]);
    expect(left).toEqual(right);
    expect(points.slice(0, 3).every(({ x }) => x < 0.5)).toBe(true);
  });
});
