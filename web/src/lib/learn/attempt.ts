import type { BoardDrawing, Square } from '../board';
import type { Position } from '../rules';
import type { Variant } from '../variants';

/** The part of an attempt at a task that the board uses. */
export interface Attempt {
  readonly variant: Variant;
  /** The position in which the reader starts to play. */
  readonly start: Position;
  readonly position: Position;
  readonly canMove: boolean;
  /** Whether the reader selects squares instead of moving pieces. */
  readonly canChoose: boolean;
  readonly chosen: ReadonlySet<Square>;
  readonly drawings: readonly BoardDrawing[];
  /** The squares of the last turn, if it is to be marked. */
  readonly lastMove?: readonly Square[];
  /** The squares where the last turn captured pieces. */
  readonly lastTaken?: readonly Square[];
  play(step: string): void;
  /** Takes back a wrong turn that the reader may replace with another. */
  takeBackWrong?(): void;
  choose(square: Square): void;
  /** Called when an illegal step is attempted. */
  tryIllegal(from: Square, to: Square): void;
}
