import type { BoardDrawing, Square } from '../board';
import type { Position } from '../rules';
import { manFigure, stepFigure } from './figures';
import { manAnswer, stepAnswer, type Answer } from './words';

/** A question: about a man, or about its going to a square. */
type Asked = { readonly from: Square; readonly to: Square | null };

/** The state of a board that is asked about instead of played on. */
export class Question {
  readonly #read: () => Position;
  #aim: Square | null = $state.raw(null);
  /** The man that was pointed at last: it is told until another one is. */
  #seen: Square | null = $state.raw(null);
  /** The man that was chosen, and the square after it; a look elsewhere does not change them. */
  #chosen: Asked | null = $state.raw(null);
  /** The position that was asked about: in another one the question is another one. */
  #about: Position | null = $state.raw(null);
  isOn = $state(false);

  constructor(position: () => Position) {
    this.#read = position;
  }

  readonly #answer = $derived.by<{ words: Answer; drawings: readonly BoardDrawing[] } | null>(
    () => {
      const position = this.#read();
      if (!this.isOn) return null;
      const { from, to } = this.#askedIn(position) ?? { from: this.#seen, to: null };
      const about = from === null ? null : position.aboutMan(from);
      if (from === null || about === null) return null;
      if (to === null) return { words: manAnswer(about), drawings: manFigure(about) };
      const answer = position.aboutStep(from, to);
      return { words: stepAnswer(about.man, to, answer), drawings: stepFigure(from, to, answer) };
    },
  );

  /** A step of the chosen man that is pointed at. */
  readonly #preview = $derived.by<readonly BoardDrawing[] | null>(() => {
    const position = this.#read();
    const asked = this.isOn ? this.#askedIn(position) : null;
    const aim = this.#aim;
    if (asked === null || asked.to !== null || aim === null || aim === asked.from) return null;
    const answer = position.aboutStep(asked.from, aim);
    return answer.legal ? stepFigure(asked.from, aim, answer) : null;
  });

  readonly words = $derived.by(() => this.#answer?.words ?? null);
  readonly drawings = $derived.by(() => this.#preview ?? this.#answer?.drawings ?? []);

  aim(square: Square | null): void {
    if (!this.isOn) return;
    this.#aim = square;
    if (this.#read().view.pieces.some((piece) => piece.square === square)) this.#seen = square;
  }

  /** Takes every press while it is on; returns whether the press means nothing else. */
  press(square: Square, how: 'main' | 'second' | 'escape'): boolean {
    if (!this.isOn || how === 'second') return false;
    const position = this.#read();
    const chosen = this.#askedIn(position);
    this.#about = position;
    this.#chosen = how === 'escape' ? null : next(chosen, square, position);
    return true;
  }

  toggle(): void {
    this.isOn = !this.isOn;
    this.#chosen = null;
    this.#aim = null;
    this.#seen = null;
  }

  #askedIn(position: Position): Asked | null {
    return this.#about === position ? this.#chosen : null;
  }
}

/** The question after another press. */
function next(chosen: Asked | null, square: Square, position: Position): Asked | null {
  const { pieces, steps } = position.view;
  const colorOf = (at: Square) => pieces.find((piece) => piece.square === at)?.color;
  const color = colorOf(square);
  const isMan = color !== undefined;
  // A man is chosen first, then its square; after that the next man.
  if (chosen === null || chosen.to !== null) return isMan ? { from: square, to: null } : null;
  const { from } = chosen;
  // Pressed again, a man is let go, unless its standing still is a step.
  const mayStay = steps.some((step) => step.from === square && step.to === square);
  if (square === from) return mayStay ? { from, to: square } : null;
  // Another man of the same side is chosen instead, unless castling is meant.
  const isCastling = steps.some((step) => step.from === from && step.alsoTo.includes(square));
  if (isMan && color === colorOf(from) && !isCastling) return { from: square, to: null };
  return { from, to: square };
}
