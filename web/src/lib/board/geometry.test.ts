import { describe, expect, it } from 'vitest';
import {
  cellOf,
  isLight,
  pickerPlace,
  rowsOf,
  SQUARES,
  squareAt,
  squareUnder,
  squareAfterKey,
} from './geometry';
import type { Color } from './types';

const ORIENTATIONS: readonly Color[] = ['white', 'black'];

describe('squares and cells', () => {
  it.each(ORIENTATIONS)('map one to one for %s', (orientation) => {
    const cells = SQUARES.map((square) => cellOf(square, orientation));
    expect(new Set(cells.map(({ column, row }) => column + 8 * row)).size).toBe(64);
    expect(cells.map((cell) => squareAt(cell, orientation))).toEqual(SQUARES);
  });

  it("put the viewer's first rank at the bottom", () => {
    expect(rowsOf('white').at(-1)).toEqual(['a1', 'b1', 'c1', 'd1', 'e1', 'f1', 'g1', 'h1']);
    expect(rowsOf('black').at(-1)).toEqual(['h8', 'g8', 'f8', 'e8', 'd8', 'c8', 'b8', 'a8']);
    expect(rowsOf('black')[0]?.[0]).toBe('h1');
  });

  it("put a light square in each player's right-hand corner", () => {
    expect(isLight('h1')).toBe(true);
    expect(isLight('a8')).toBe(true);
    expect(isLight('a1')).toBe(false);
    expect(SQUARES.filter(isLight)).toHaveLength(32);
  });

  it('exclude points off the board', () => {
    expect(squareUnder({ x: 7.999, y: 7.999 }, 'white')).toBe('h1');
    expect(squareUnder({ x: 0, y: 0 }, 'black')).toBe('h1');
    expect(squareUnder({ x: 8, y: 4 }, 'white')).toBeNull();
    expect(squareUnder({ x: -0.001, y: 4 }, 'black')).toBeNull();
  });
});

describe('moving the focus with the keys', () => {
  it('follows the screen, not the names of the squares', () => {
    expect(squareAfterKey('e4', 'ArrowUp', false, 'white')).toBe('e5');
    expect(squareAfterKey('e4', 'ArrowUp', false, 'black')).toBe('e3');
    expect(squareAfterKey('e4', 'ArrowRight', false, 'white')).toBe('f4');
    expect(squareAfterKey('e4', 'ArrowRight', false, 'black')).toBe('d4');
  });

  it('stops at the edge', () => {
    expect(squareAfterKey('a1', 'ArrowLeft', false, 'white')).toBe('a1');
    expect(squareAfterKey('a1', 'ArrowUp', false, 'black')).toBe('a1');
  });

  it('goes to the ends of the row, the column and the board', () => {
    expect(squareAfterKey('e4', 'Home', false, 'white')).toBe('a4');
    expect(squareAfterKey('e4', 'End', false, 'black')).toBe('a4');
    expect(squareAfterKey('e4', 'PageUp', false, 'white')).toBe('e8');
    expect(squareAfterKey('e4', 'Home', true, 'black')).toBe('h1');
    expect(squareAfterKey('e4', 'End', true, 'white')).toBe('h1');
  });

  it('leaves other keys alone', () => {
    expect(squareAfterKey('e4', 'Tab', false, 'white')).toBeNull();
    expect(squareAfterKey('e4', 'x', false, 'white')).toBeNull();
  });
});

describe('the promotion picker', () => {
  it('stays on the board, including its cancel button', () => {
    for (const orientation of ORIENTATIONS)
      for (const square of SQUARES)
        for (let choices = 2; choices <= 5; choices++) {
          const { row, upwards } = pickerPlace(square, choices, orientation);
          const last = upwards ? row - choices : row + choices;
          expect(last).toBeGreaterThanOrEqual(0);
          expect(last).toBeLessThanOrEqual(7);
        }
  });

  it('covers the promotion square', () => {
    expect(pickerPlace('b8', 4, 'white')).toEqual({ column: 1, row: 0, upwards: false });
    expect(pickerPlace('b8', 4, 'black')).toEqual({ column: 6, row: 7, upwards: true });
  });
});
