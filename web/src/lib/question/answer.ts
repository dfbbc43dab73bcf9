import type { BoardDrawing, Square } from '../board';
import type { Position } from '../rules';
import { manAnswer, stepAnswer, type Answer } from './answer-text';
import { manFigure, stepFigure } from './figures';

/** An answer in words and as drawings on the board. */
export interface DrawnAnswer {
  readonly words: Answer;
  readonly drawings: readonly BoardDrawing[];
}

/**
 * Answers a question about the piece on `from`, or about moving it to `to`; null if the square is
 * empty.
 */
export function drawnAnswer(
  position: Position,
  from: Square,
  to: Square | null,
): DrawnAnswer | null {
  const about = position.explainPiece(from);
  if (about === null) return null;
  if (to === null) return { words: manAnswer(about), drawings: manFigure(about) };
  const answer = position.explainStep(from, to);
  return { words: stepAnswer(about.man, to, answer), drawings: stepFigure(from, to, answer) };
}
