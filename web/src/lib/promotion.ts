import { games } from './games';
import { isChessPiece } from './pieces/sets';
import type { Variant } from './variants';

/** The squares and the promotion of a step. */
interface PromotionStep {
  readonly from: string;
  readonly to: string;
  readonly promotion?: string | null | undefined;
}

/**
 * Returns the steps without the promotions that are rarely chosen: of several steps between the
 * same squares, only the promotion to the strongest piece remains. In games with pieces that chess
 * does not have, every promotion is a real choice, and all steps remain.
 */
export function withUsualPromotion<S extends PromotionStep>(
  variant: Variant,
  steps: readonly S[],
): readonly S[] {
  const roles = Object.entries<string>(games[variant].roles);
  if (!roles.every(([role, letter]) => isChessPiece(role, letter))) return steps;
  // The rules number the roles in ascending order of strength.
  const strength = new Map(roles.map(([role], number) => [role, number]));
  const strengthOf = ({ promotion }: S): number => strength.get(promotion ?? '') ?? -1;
  const best = new Map<string, S>();
  for (const step of steps) {
    const squarePair = step.from + step.to;
    const other = best.get(squarePair);
    if (other === undefined || strengthOf(step) > strengthOf(other)) best.set(squarePair, step);
  }
  return steps.filter((step) => best.get(step.from + step.to) === step);
}
