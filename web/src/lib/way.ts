import type { Square } from './board';
import type { StepView } from './rules';

/** The squares through which steps go, in order, the first one included. */
export function wayOf(steps: readonly StepView[]): Square[] {
  const [first] = steps;
  return first ? [first.from, ...steps.map(({ to }) => to)] : [];
}

/** Where a turn took men. */
export function takenBy(steps: readonly StepView[]): Square[] {
  return steps.flatMap(({ takes }) => takes);
}

/** Where a turn began and where it ended. */
export function endsOf(steps: readonly StepView[]): Square[] {
  const way = wayOf(steps);
  return way.filter((_, index) => index === 0 || index === way.length - 1);
}
