import type { Obligation } from '../api';
import type { Square } from '../board';
import type { Position, StepView } from '../rules';

/**
 * How many steps are played to find out which of them lead to a taking. A position of Interweave can
 * have millions of chains. What is not known by then is allowed: the server decides.
 */
const MOST_STEPS = 2_000;

/** The man of the other side that must be taken, if there is one. */
export function owedEnemy(obligation: Obligation | null): string | null {
  return obligation === null || obligation.type === 'must-move' ? null : obligation.enemy;
}

/** The own man that must move, if it is known. */
export function owedMan(obligation: Obligation | null): string | null {
  return obligation === null || obligation.type === 'must-take' ? null : obligation.own;
}

/** Looks for takings of one man in chains; positions reached in several ways are looked at once. */
class Takings {
  readonly #enemy: string;
  readonly #known = new Map<string, boolean>();
  #left = MOST_STEPS;

  constructor(enemy: string) {
    this.#enemy = enemy;
  }

  /** Whether a step takes the man, or begins a chain that can; true if that is not known in time. */
  follow(position: Position, step: StepView): boolean {
    if (step.takes.some((square) => square === this.#enemy)) return true;
    if (this.#left === 0) return true;
    this.#left -= 1;
    const after = position.play(step.text);
    if (after.view.chain === null) return false;
    const key = `${after.view.fen} ${after.view.chain}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = after.view.steps.some((next) => this.follow(after, next));
    this.#known.set(key, found);
    return found;
  }
}

/**
 * The steps of a position that do, or can still come to do, what a touch binds to. `before` are the
 * steps of the same turn that led here.
 */
export function allowedSteps(
  position: Position,
  before: readonly StepView[],
  obligation: Obligation | null,
): readonly StepView[] {
  const { steps } = position.view;
  const own = before.length === 0 ? owedMan(obligation) : null;
  const enemy = owedEnemy(obligation);
  const isTaken = before.some(({ takes }) => takes.includes(enemy as Square));
  const takings = enemy === null || isTaken ? null : new Takings(enemy);
  return steps.filter(
    (step) =>
      (own === null || step.from === own) && (takings === null || takings.follow(position, step)),
  );
}
