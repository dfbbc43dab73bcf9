import type { Obligation } from '../api';
import type { Square } from '../board';
import type { Position, StepView } from '../rules';

/** The man of the other side that must be taken, if there is one. */
export function owedEnemy(obligation: Obligation | null): string | null {
  return obligation === null || obligation.type === 'must-move' ? null : obligation.enemy;
}

/** The own man that must move, if it is known. */
export function owedMan(obligation: Obligation | null): string | null {
  return obligation === null || obligation.type === 'must-take' ? null : obligation.own;
}

/** Whether a step takes a man, or begins a chain that can. */
function leadsToTaking(position: Position, step: StepView, enemy: string): boolean {
  if (step.takes.some((square) => square === enemy)) return true;
  const after = position.play(step.text);
  return (
    after.view.chain !== null && after.view.steps.some((next) => leadsToTaking(after, next, enemy))
  );
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
  return steps.filter(
    (step) =>
      (own === null || step.from === own) &&
      (enemy === null || isTaken || leadsToTaking(position, step, enemy)),
  );
}
