import type { BoardPiece, Square } from '../board';
import type { StepView } from '../rules';

/**
 * The men as they would stand after the planned steps, as far as that is known: which turn the other side will play is not, so
 * neither is what the steps will take.
 */
export function withPlan(
  pieces: ReadonlyMap<Square, BoardPiece>,
  planned: readonly StepView[],
): ReadonlyMap<Square, BoardPiece> {
  const after = new Map(pieces);
  for (const { from, to, promotion } of planned) {
    const man = after.get(from);
    if (man === undefined) continue;
    after.delete(from);
    after.set(to, promotion === null ? man : { ...man, role: promotion });
  }
  return after;
}
