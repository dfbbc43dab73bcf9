import type { BoardPiece, Square } from '../board';
import type { StepView } from '../rules';

/**
 * Returns the pieces as they would stand after the planned steps. A piece on a destination square
 * is replaced. Other captures are left out, because they depend on the opponent's turn.
 */
export function withPlan(
  pieces: ReadonlyMap<Square, BoardPiece>,
  planned: readonly StepView[],
): ReadonlyMap<Square, BoardPiece> {
  const after = new Map(pieces);
  for (const { from, to, promotion, companion } of planned) {
    const man = after.get(from);
    if (man === undefined) continue;
    const second = companion && after.get(companion.from);
    after.delete(from);
    // In castling, both men leave before either arrives: in Chess960, one may end up where the
    // other stood.
    if (companion) after.delete(companion.from);
    after.set(to, promotion === null ? man : { ...man, role: promotion });
    if (companion && second) after.set(companion.to, second);
  }
  return after;
}
