import type { BoardDrawing, Square } from '../board';
import type { Position } from '../rules';
import { manFigure, stepFigure } from './figures';
import { manAnswer, stepAnswer, type Answer } from './answer-text';

interface Attempt {
  readonly position: Position;
  readonly from: Square;
  /** Where the piece was to go; null if it cannot move at all. */
  readonly to: Square | null;
}

/** Explains why a piece did not go where it was dropped. */
export class RefusedStep {
  readonly #read: () => Position;
  #attempt: Attempt | null = $state.raw(null);

  /** `position` returns the current position; a reason is given only for the position it belongs to. */
  constructor(position: () => Position) {
    this.#read = position;
  }

  readonly #reason = $derived.by<{ words: Answer; drawings: readonly BoardDrawing[] } | null>(
    () => {
      const position = this.#read();
      const attempt = this.#attempt;
      if (attempt === null || attempt.position !== position) return null;
      const { from, to } = attempt;
      const about = position.aboutMan(from);
      if (about === null) return null;
      if (to === null) return { words: manAnswer(about), drawings: manFigure(about) };
      const answer = position.aboutStep(from, to);
      return { words: stepAnswer(about.man, to, answer), drawings: stepFigure(from, to, answer) };
    },
  );

  readonly words = $derived.by(() => this.#reason?.words ?? null);
  readonly drawings = $derived.by(() => this.#reason?.drawings ?? []);

  /** Handles a step that the board refused; `to` is null if the piece cannot move at all. */
  refuse(from: Square, to: Square | null): void {
    this.#attempt = { position: this.#read(), from, to };
  }

  /** Forgets the refused step. */
  clear(): void {
    this.#attempt = null;
  }
}
