import type { BoardPiece, Square } from '../board';
import type { Position, StepView } from '../rules';

/** No more of what the other side may do is looked at. */
const mostReplies = 400;

/** All positions in which the turn of the side to move may end. */
function afterEachTurn(position: Position, room = { left: mostReplies }): Position[] {
  const ends: Position[] = [];
  for (const { text } of position.view.steps) {
    if (room.left <= 0) break;
    const after = position.play(text);
    if (after.view.chain !== null) {
      ends.push(...afterEachTurn(after, room));
    } else {
      room.left -= 1;
      ends.push(after);
    }
  }
  return ends;
}

function playing(position: Position, text: string): Position | null {
  return position.view.steps.some((step) => step.text === text) ? position.play(text) : null;
}

/**
 * What could be planned while the other side is to move: the steps that would be legal after some
 * turn of theirs. Which turn it will be is not known, so neither is what the steps will take.
 */
export class Foresight {
  #ends: Position[] | null = null;

  constructor(readonly position: Position) {}

  /** The steps that may follow those planned already. */
  steps(planned: readonly StepView[]): StepView[] {
    this.#ends ??= afterEachTurn(this.position);
    const found = new Map<string, StepView>();
    for (const end of this.#ends) {
      const reached = planned.reduce<Position | null>(
        (at, { text }, index) =>
          at === null || (index > 0 && at.view.chain === null) ? null : playing(at, text),
        end,
      );
      if (reached === null || (planned.length > 0 && reached.view.chain === null)) continue;
      for (const step of reached.view.steps)
        if (!found.has(step.text)) found.set(step.text, { ...step, takes: [] });
    }
    return [...found.values()];
  }
}

/** The men as they would stand after the planned steps, as far as that is known. */
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

/** The planned steps as they are now, each with the position after it; `null` if one is not legal. */
export function carriedOut(
  position: Position,
  planned: readonly StepView[],
): { step: StepView; after: Position }[] | null {
  const played: { step: StepView; after: Position }[] = [];
  let at = position;
  for (const { text } of planned) {
    const step = at.view.steps.find((each) => each.text === text);
    if (step === undefined || (played.length > 0 && at.view.chain === null)) return null;
    at = at.play(text);
    played.push({ step, after: at });
  }
  return played;
}
