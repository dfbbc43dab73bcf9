import type { Position, StepView } from '../rules';

/** A turn all of whose steps have been played. */
export interface CompleteTurn {
  /** Coordinate text. */
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
 * The turn that is being played on a board, step by step. Most turns are complete with their first step; a chain goes on until the
 * position says that it is over. A complete turn stays on the board until its owner has judged it and clears it.
 */
export class TurnInProgress {
  #played: readonly PlayedStep[] = $state.raw([]);
  readonly #start: () => Position;

  /** `start` tells the position in which the turn begins, as long as none of its steps has been played. */
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

  /** Coordinate text of the steps so far; empty before the first. */
  get text(): string {
    return this.#played.at(-1)?.after.under ?? '';
  }

  /** Plays a step, given by its text; returns the turn if it is complete with it. Refuses one that is not legal. */
  play(text: string): CompleteTurn | null {
    const before = this.position;
    const after = before.play(text);
    const step = stepIn(before, text);
    if (step) this.#played = [...this.#played, { step, after }];
    return this.#complete;
  }

  /** Plays the steps of a turn that begins, if all of them are legal; returns null, and plays none, if one is not. */
  playAll(texts: readonly string[]): { readonly complete: CompleteTurn | null } | null {
    const played: PlayedStep[] = [];
    let at = this.#start();
    for (const text of texts) {
      const step = stepIn(at, text);
      if (step === undefined || (played.length > 0 && at.view.chain === null)) return null;
      at = at.play(text);
      played.push({ step, after: at });
    }
    this.#played = played;
    return { complete: this.#complete };
  }

  /** Takes the last step back. */
  undo(): void {
    this.#played = this.#played.slice(0, -1);
  }

  clear(): void {
    if (!this.isEmpty) this.#played = [];
  }

  get #complete(): CompleteTurn | null {
    const after = this.#played.at(-1)?.after;
    return after && after.view.chain === null ? { text: after.under, after } : null;
  }
}
