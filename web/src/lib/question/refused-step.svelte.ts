import type { BoardDrawing, Square } from '../board';
import type { Position } from '../rules';
import { manFigure, stepFigure } from './figures';
import { manAnswer, stepAnswer, type Answer } from './words';

interface Attempt {
  readonly position: Position;
  readonly from: Square;
  /** Where the man was to go; null if it cannot move at all. */
  readonly to: Square | null;
}

/** Why a man did not go where it was put: the reason is told beside the board. */
export class RefusedStep {
  readonly #read: () => Position;
  #attempt: Attempt | null = $state.raw(null);

  /** `position` returns the one that is played on; in another one the reason is forgotten. */
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

  /** The board refused to move a man to a square, or at all if there is no square. */
  refuse(from: Square, to: Square | null): void {
    this.#attempt = { position: this.#read(), from, to };
  }

  /** Something else was pressed. */
  clear(): void {
    this.#attempt = null;
  }
}
