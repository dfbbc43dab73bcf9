export { default as Board } from './Board.svelte';
export { SQUARES, isLight } from './geometry';
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
