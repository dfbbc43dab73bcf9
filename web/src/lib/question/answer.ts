import type { BoardDrawing, Square } from '../board';
import type { Obligation } from '../api';
import type { Position } from '../rules';
import { manAnswer, obligationText, stepAnswer, type Answer } from './answer-text';
import { manFigure, obligationFigure, stepFigure } from './figures';

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

/**
 * Answers that a touched piece forbids the piece on `from` to move, or to move to `to`; null if the
 * square is empty.
 */
export function obligationAnswer(
  position: Position,
  from: Square,
  to: Square | null,
  obligation: Obligation,
): DrawnAnswer | null {
  const man = position.view.pieces.find(({ square }) => square === from);
  if (man === undefined) return null;
  return {
    words: obligationText(man, obligation),
    drawings: obligationFigure(from, to, obligation),
  };
}
