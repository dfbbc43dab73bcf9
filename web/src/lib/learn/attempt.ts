import type { BoardDrawing, Square } from '../board';
import type { Position } from '../rules';
import type { Variant } from '../variants';

/** A task that is being solved, as its board needs it. */
export interface Attempt {
  readonly variant: Variant;
  /** Where the reader's part begins. */
  readonly start: Position;
  readonly position: Position;
  readonly canMove: boolean;
  /** Whether squares are chosen, instead of men moved. */
  readonly canChoose: boolean;
  readonly chosen: ReadonlySet<Square>;
  readonly drawings: readonly BoardDrawing[];
  play(step: string): void;
  choose(square: Square): void;
  /** Called when a step that is not legal is tried. */
  tryIllegal(from: Square, to: Square): void;
}
