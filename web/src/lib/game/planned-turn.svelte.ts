import type { Position, StepView } from '../rules';

/** The steps that the visitor has planned for their next turn (a premove). */
export class PlannedTurn {
  #steps: readonly StepView[] = $state.raw([]);

  get steps(): readonly StepView[] {
    return this.#steps;
  }

  /** Returns the steps that can be planned next in a position with the opponent to move. */
  next(position: Position): readonly StepView[] {
    return position.stepsToPlan(this.#texts);
  }

  add(step: StepView): void {
    this.#steps = [...this.#steps, step];
  }

  clear(): void {
    if (this.#steps.length > 0) this.#steps = [];
  }

  /** Returns the steps in coordinate notation, and discards the plan. */
  take(): readonly string[] {
    const texts = this.#texts;
    this.clear();
    return texts;
  }

  get #texts(): string[] {
    return this.#steps.map(({ text }) => text);
  }
}
