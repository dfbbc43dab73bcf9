import type { Square } from '../board';
import type { Position } from '../rules';
import { drawnAnswer, type ObligationAgainst } from './answer';

interface Attempt {
  readonly position: Position;
  readonly from: Square;
  /** Where the piece was to go; null if it cannot move at all. */
  readonly to: Square | null;
}

/** Explains why a step was refused, whether it was made on the board or typed. */
export class RefusedStep {
  readonly #read: () => Position;
  readonly #obligationAgainst: ObligationAgainst;
  #attempt: Attempt | null = $state.raw(null);

  /** `position` returns the current position. Once that changes, the reason is no longer given. */
  constructor(position: () => Position, obligationAgainst: ObligationAgainst = () => null) {
    this.#read = position;
    this.#obligationAgainst = obligationAgainst;
  }

  readonly #reason = $derived.by(() => {
    const position = this.#read();
    const attempt = this.#attempt;
    if (attempt?.position !== position) return null;
    return drawnAnswer(position, attempt.from, attempt.to, this.#obligationAgainst);
  });

  readonly words = $derived.by(() => this.#reason?.words ?? null);
  readonly drawings = $derived.by(() => this.#reason?.drawings ?? []);

  /** Handles a step that the board refused; `to` is null if the piece cannot move at all. */
  refuse(from: Square, to: Square | null): void {
    this.#attempt = { position: this.#read(), from, to };
  }

  /** Explains a typed step in place of the last refused step; null just clears the latter. */
  replace(step: { readonly from: Square; readonly to: Square } | null): void {
    if (step === null) this.clear();
    else this.refuse(step.from, step.to);
  }

  /** Forgets the refused step. */
  clear(): void {
    this.#attempt = null;
  }
}
