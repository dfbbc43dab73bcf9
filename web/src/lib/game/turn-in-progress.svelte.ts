import type { Position, StepView } from '../rules';

/** A turn whose steps have all been played. */
export interface CompleteTurn {
  /** Coordinate notation. */
  readonly text: string;
  readonly after: Position;
}

interface PlayedStep {
  readonly step: StepView;
  readonly after: Position;
}

function stepIn(position: Position, text: string): StepView | undefined {
  return position.view.steps.find((each) => each.text === text);
}

/**
 * A turn that is played on a board step by step. Most turns are complete after one step; a chain
 * continues until the position says that it is over. A complete turn stays on the board until the
 * caller has handled it and calls `clear`.
 */
export class TurnInProgress {
  #played: readonly PlayedStep[] = $state.raw([]);
  readonly #start: () => Position;

  /** `start` returns the position in which the next turn begins. */
  constructor(start: () => Position) {
    this.#start = start;
  }

  /** The position after the steps so far. */
  get position(): Position {
    return this.#played.at(-1)?.after ?? this.#start();
  }

  get steps(): readonly StepView[] {
    return this.#played.map(({ step }) => step);
  }

  get isEmpty(): boolean {
    return this.#played.length === 0;
  }

  /** Coordinate notation of the steps so far; empty before the first one. */
  get text(): string {
    return this.#played.at(-1)?.after.currentSteps ?? '';
  }

  /** Plays a step; returns the turn if the step completes it. Throws if the step is illegal. */
  play(text: string): CompleteTurn | null {
    const before = this.position;
    const after = before.play(text);
    const step = stepIn(before, text);
    if (step) this.#played = [...this.#played, { step, after }];
    return this.#complete;
  }

  /**
   * Replaces the steps played so far, if any, with a whole turn or its first steps. If one of the
   * new steps is illegal, changes nothing and returns null.
   */
  playAll(texts: readonly string[]): { readonly complete: CompleteTurn | null } | null {
    const played: PlayedStep[] = [];
    let current = this.#start();
    for (const text of texts) {
      const step = stepIn(current, text);
      if (step === undefined || (played.length > 0 && current.view.chain === null)) return null;
      current = current.play(text);
      played.push({ step, after: current });
    }
    this.#played = played;
    return { complete: this.#complete };
  }

  /** Undoes the last step. */
  undo(): void {
    this.#played = this.#played.slice(0, -1);
  }

  clear(): void {
    if (!this.isEmpty) this.#played = [];
  }

  get #complete(): CompleteTurn | null {
    const after = this.#played.at(-1)?.after;
    return after && after.view.chain === null ? { text: after.currentSteps, after } : null;
  }
}
