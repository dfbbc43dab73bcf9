/** Arrows and circles: the keys that select a brush, how drawings combine, and arrow outlines. */
import { centre, type Point } from './geometry';
import type { BoardDrawing, Brush, Color, Square } from './types';

/** Dimensions of an arrow, in squares: the width of its shaft, and the size of its head. */
const SHAFT = 0.16;
const HEAD_LENGTH = 0.4;
const HEAD_WIDTH = 0.46;
/** Distance between the ends of an arrow and the centres of its squares. */
const GAP = 0.1;

export function brushOf(keys: { readonly shiftKey: boolean; readonly altKey: boolean }): Brush {
  if (keys.shiftKey) return keys.altKey ? 'shift-alt' : 'shift';
  return keys.altKey ? 'alt' : 'plain';
}

/**
 * Adds a drawing, or removes it if it already exists. If there is a drawing with a different brush on
 * the same squares, replaces it.
 */
export function toggled(
  drawings: readonly BoardDrawing[],
  drawing: BoardDrawing,
): readonly BoardDrawing[] {
  const existing = drawings.find((old) => old.from === drawing.from && old.to === drawing.to);
  const others = drawings.filter((old) => old !== existing);
  return existing?.brush === drawing.brush ? others : [...others, drawing];
}

/** Returns the path of an unfinished turn. A capture without moving is drawn as a circle. */
export function chainOf(squares: readonly Square[]): readonly BoardDrawing[] {
  return squares.slice(1).map((to, i) => ({ from: squares[i] ?? to, to, brush: 'chain' }));
}

/**
 * Returns the outline of an arrow as an SVG polygon, on a board eight units wide. It is a single
 * shape, so that a transparent arrow has the same tint everywhere.
 */
export function arrowOutline(from: Square, to: Square, orientation: Color): readonly Point[] {
  const start = centre(from, orientation);
  const end = centre(to, orientation);
  const length = Math.hypot(end.x - start.x, end.y - start.y);
  const along = { x: (end.x - start.x) / length, y: (end.y - start.y) / length };
  const at = (distance: number, aside: number): Point => ({
    x: round(start.x + along.x * distance - along.y * aside),
    y: round(start.y + along.y * distance + along.x * aside),
  });
  const tip = length - GAP;
  const neck = tip - HEAD_LENGTH;
  return [
    at(GAP, -SHAFT / 2),
    at(neck, -SHAFT / 2),
    at(neck, -HEAD_WIDTH / 2),
    at(tip, 0),
    at(neck, HEAD_WIDTH / 2),
    at(neck, SHAFT / 2),
    at(GAP, SHAFT / 2),
  ];
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
