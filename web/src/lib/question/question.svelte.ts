import type { BoardDrawing, PressType, Square } from '../board';
import type { Position } from '../rules';
import { drawnAnswer, type ObligationAgainst } from './answer';
import { stepFigure } from './figures';

/** A question about a piece, or about moving it to a square. */
type Subject = { readonly from: Square; readonly to: Square | null };

/** A board's question mode, in which a click asks a question instead of playing a step. */
export class Question {
  readonly #read: () => Position;
  readonly #obligationAgainst: ObligationAgainst;
  #aim: Square | null = $state.raw(null);
  /**
   * Square of the last piece pointed at, which stays the subject until another piece is pointed at.
   */
  #pointed: Square | null = $state.raw(null);
  /**
   * The selected piece and the square selected after it. Pointing elsewhere does not change them.
   */
  #chosen: Subject | null = $state.raw(null);
  /** The position in which the question was asked; the question applies to no other position. */
  #askedPosition: Position | null = $state.raw(null);
  isOn = $state(false);

  constructor(position: () => Position, obligationAgainst: ObligationAgainst = () => null) {
    this.#read = position;
    this.#obligationAgainst = obligationAgainst;
  }

  readonly #answer = $derived.by(() => {
    const position = this.#read();
    if (!this.isOn) return null;
    const { from, to } = this.#askedIn(position) ?? { from: this.#pointed, to: null };
    return from === null ? null : drawnAnswer(position, from, to, this.#obligationAgainst);
  });

  /** Drawings of the selected piece's step to the square pointed at; null if there is none. */
  readonly #preview = $derived.by<readonly BoardDrawing[] | null>(() => {
    const position = this.#read();
    const openQuestion = this.isOn ? this.#askedIn(position) : null;
    const aim = this.#aim;
    if (
      openQuestion === null ||
      openQuestion.to !== null ||
      aim === null ||
      aim === openQuestion.from
    )
      return null;
    if (this.#obligationAgainst(openQuestion.from, aim) !== null) return null;
    const answer = position.explainStep(openQuestion.from, aim);
    return answer.legal ? stepFigure(openQuestion.from, aim, answer) : null;
  });

  readonly answerText = $derived.by(() => this.#answer?.words ?? null);
  readonly drawings = $derived.by(() => this.#preview ?? this.#answer?.drawings ?? []);

  aim(square: Square | null): void {
    if (!this.isOn) return;
    this.#aim = square;
    if (this.#read().view.pieces.some((piece) => piece.square === square)) this.#pointed = square;
  }

  /** Handles a press in question mode; returns true if the board should ignore it. */
  press(square: Square, press: PressType): boolean {
    if (!this.isOn || press === 'secondary') return false;
    const position = this.#read();
    const chosen = this.#askedIn(position);
    this.#askedPosition = position;
    this.#chosen = press === 'escape' ? null : next(chosen, square, position);
    return true;
  }

  toggle(): void {
    this.isOn = !this.isOn;
    this.#chosen = null;
    this.#aim = null;
    this.#pointed = null;
  }

  #askedIn(position: Position): Subject | null {
    return this.#askedPosition === position ? this.#chosen : null;
  }
}

/** Returns the question after another press. */
function next(chosen: Subject | null, square: Square, position: Position): Subject | null {
  const { pieces, steps } = position.view;
  const colorOf = (at: Square) => pieces.find((piece) => piece.square === at)?.color;
  const color = colorOf(square);
  const isMan = color !== undefined;
  // First a piece is selected, then its destination, then the next piece.
  if (chosen === null || chosen.to !== null) return isMan ? { from: square, to: null } : null;
  const { from } = chosen;
  // Pressing a piece again deselects it, unless it has a step that stays on its square.
  const mayStay = steps.some((step) => step.from === square && step.to === square);
  if (square === from) return mayStay ? { from, to: square } : null;
  // Selects another piece of the same side instead, unless castling is meant.
  const isCastling = steps.some((step) => step.from === from && step.alsoTo.includes(square));
  if (isMan && color === colorOf(from) && !isCastling) return { from: square, to: null };
  return { from, to: square };
}
