import type { Color } from '../api';
import type { GameRecord } from './record';

/** Men of one role, and their number. */
export interface MenOfRole {
  readonly role: string;
  readonly count: number;
}

/**
 * Returns the men of a colour that were taken in the first `ply` turns, by role, in the order in
 * which the game lists its roles. A promoted man counts as the role that it had when it was taken.
 */
export function takenMen(
  record: GameRecord,
  ply: number,
  color: Color,
  roles: readonly string[],
): MenOfRole[] {
  const counts = new Map<string, number>();
  record.turns.slice(0, ply).forEach(({ steps }, index) => {
    const squares = steps.flatMap(({ takes }) => takes);
    if (squares.length === 0) return;
    // In a chain only the man that takes moves, so the others are where they were before the turn.
    for (const man of record.at(index).view.pieces)
      if (man.color === color && squares.includes(man.square))
        counts.set(man.role, (counts.get(man.role) ?? 0) + 1);
  });
  return roles.flatMap((role) => {
    const count = counts.get(role);
    return count === undefined ? [] : [{ role, count }];
  });
}

/**
 * Returns the number of men by which a colour leads on the board after `ply` turns; negative if it
 * has fewer.
 */
export function menAhead(record: GameRecord, ply: number, color: Color): number {
  const { pieces } = record.at(ply).view;
  const own = pieces.filter((man) => man.color === color).length;
  return 2 * own - pieces.length;
}
