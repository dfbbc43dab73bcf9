import type { BoardDrawing, Square } from '../board';
import type { Obligation } from '../api';
import type { ManExplanationView, Position } from '../rules';
import { manAnswer, obligationText, stepAnswer, type Answer } from './answer-text';
import { manFigure, obligationFigure, stepFigure } from './figures';

/** An answer in words and as drawings on the board. */
export interface DrawnAnswer {
  readonly words: Answer;
  readonly drawings: readonly BoardDrawing[];
}

/**
 * Returns the obligation imposed by a touched piece (C13) if it forbids an otherwise legal step or,
 * if `to` is null, every step of the piece on `from`; otherwise null.
 */
export type ObligationAgainst = (from: Square, to: Square | null) => Obligation | null;

/**
 * Answers a question about the piece on `from`, or about moving it to `to`; null if the square is
 * empty.
 */
export function drawnAnswer(
  position: Position,
  from: Square,
  to: Square | null,
  obligationAgainst: ObligationAgainst = () => null,
): DrawnAnswer | null {
  const about = position.explainPiece(from);
  if (about === null) return null;
  const obligation = obligationAgainst(from, to);
  if (obligation !== null) {
    return {
      words: obligationText(about.man, obligation),
      drawings: obligationFigure(from, to, obligation),
    };
  }
  if (to === null) return allowedSteps(about, obligationAgainst);
  const answer = position.explainStep(from, to);
  return { words: stepAnswer(about.man, to, answer), drawings: stepFigure(from, to, answer) };
}

/** Describes a piece without the steps that a touched piece forbids. */
function allowedSteps(
  about: ManExplanationView,
  obligationAgainst: ObligationAgainst,
): DrawnAnswer {
  const against = about.steps.map(({ man, to }) => obligationAgainst(man.square, to));
  const allowed = { ...about, steps: about.steps.filter((_, index) => against[index] === null) };
  const obligation = against.find((found) => found !== null) ?? null;
  return { words: manAnswer(allowed, obligation), drawings: manFigure(allowed) };
}
