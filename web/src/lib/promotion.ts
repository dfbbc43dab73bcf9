import { games } from './games';
import { isChessPiece } from './pieces/sets';
import type { Variant } from './variants';

/** The part of a step that says what it promotes to. */
interface Promoting {
  readonly from: string;
  readonly to: string;
  readonly promotion?: string | null | undefined;
}

/**
 * Returns the steps without the promotions that are hardly ever wanted: of those that go the same way, the one to the
 * strongest man stays. Where men are not those of chess, every choice is worth a question, and all steps stay.
 */
export function withUsualPromotion<S extends Promoting>(
  variant: Variant,
  steps: readonly S[],
): readonly S[] {
  const roles = Object.entries<string>(games[variant].roles);
  if (!roles.every(([role, letter]) => isChessPiece(role, letter))) return steps;
  // The rules number the men by their strength.
  const strength = new Map(roles.map(([role], number) => [role, number]));
  const strengthOf = ({ promotion }: S): number => strength.get(promotion ?? '') ?? -1;
  const best = new Map<string, S>();
  for (const step of steps) {
    const way = step.from + step.to;
    const other = best.get(way);
    if (other === undefined || strengthOf(step) > strengthOf(other)) best.set(way, step);
  }
  return steps.filter((step) => best.get(step.from + step.to) === step);
}
