import type { Square } from './board';
import type { StepView } from './rules';

/** Returns the squares on the path of the steps, in order, including the first. */
export function squaresOf(steps: readonly StepView[]): Square[] {
  const [first] = steps;
  return first ? [first.from, ...steps.map(({ to }) => to)] : [];
}

/** Returns the squares where a turn captured pieces. */
export function capturesOf(steps: readonly StepView[]): Square[] {
  return steps.flatMap(({ takes }) => takes);
}

/** Returns the first and last squares of a turn. */
export function endsOf(steps: readonly StepView[]): Square[] {
  const path = squaresOf(steps);
  return path.filter((_, index) => index === 0 || index === path.length - 1);
}
