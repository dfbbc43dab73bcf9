/** Arrows and circles: which keys draw which, how they add up, and their outlines. */
import { centre, type Point } from './geometry';
import type { BoardDrawing, Brush, Color, Square } from './types';

/** Sizes in squares. */
const SHAFT = 0.16;
const HEAD_LENGTH = 0.4;
const HEAD_WIDTH = 0.46;
/** How far an arrow begins after, and ends before, the centres of its squares. */
const GAP = 0.1;

export function brushOf(keys: { readonly shiftKey: boolean; readonly altKey: boolean }): Brush {
  if (keys.shiftKey) return keys.altKey ? 'shift-alt' : 'shift';
  return keys.altKey ? 'alt' : 'plain';
}

/** Draws over what is there: the same again wipes it out, another brush repaints it. */
export function toggled(
  drawings: readonly BoardDrawing[],
  drawing: BoardDrawing,
): readonly BoardDrawing[] {
  const there = drawings.find((old) => old.from === drawing.from && old.to === drawing.to);
  const others = drawings.filter((old) => old !== there);
  return there?.brush === drawing.brush ? others : [...others, drawing];
}

/** The way of a turn under way. A man that took where it stood gets a circle there. */
export function chainOf(squares: readonly Square[]): readonly BoardDrawing[] {
  return squares.slice(1).map((to, i) => ({ from: squares[i] ?? to, to, brush: 'chain' }));
}

/** The outline of an arrow, for an SVG polygon eight units wide. One shape, so that a transparent
 *  arrow has the same tint all over. */
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
