/**
 * A board component for any game on 64 squares. Its owner passes pieces, legal steps and marks, and
 * is notified when a step is played by drag, click, touch or keyboard. It contains no rules and no
 * user-visible strings.
 *
 * - `types.ts` public types, `geometry.ts` squares on the screen
 * - `selection.ts` the selected piece, `drawn-pieces.ts` identity of the drawn pieces
 * - `drawings.ts` arrows and circles
 * - `pointer.ts` gestures, `control.svelte.ts` the complete state of a board
 * - `Board.svelte` and its parts. All colours are in `../tokens.css`; the owner may override them
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
  type PressType,
  type Rank,
  type Role,
  type Square,
  type SquareMarks,
} from './types';
