/**
 * A board for any game on 64 squares. It is given men, legal steps and marks, and tells which step
 * was played: by drag, by click, by touch or by keyboard. It contains no rules and no words of its own.
 *
 * - `types.ts` the public words, `geometry.ts` squares as seen
 * - `selection.ts` the man in hand, `men.ts` which man went where, `drawings.ts` arrows
 * - `pointer.ts` gestures, `control.svelte.ts` all of these together, as one board's state
 * - `Board.svelte` and the parts it is drawn with; `theme.css` every colour, to be set from outside
 */
export { default as Board } from './Board.svelte';
export { SQUARES, cellOf, isLight } from './geometry';
export {
  BRUSHES,
  FILES,
  RANKS,
  type BoardDrawing,
  type BoardLabels,
  type BoardPiece,
  type BoardProps,
  type BoardStep,
  type Brush,
  type Color,
  type File,
  type Rank,
  type Role,
  type Square,
  type SquareMarks,
} from './types';
