import type { Position } from '../rules';
import type { GameRecord, PlayedTurn } from './record';

/**
 * The turns of a game and the ply shown: either an earlier one, or the last one, which advances as
 * the game goes on.
 */
export class RecordCursor {
  #record: GameRecord = $state.raw() as GameRecord;
  #ply: number | null = $state.raw(null);

  constructor(record: GameRecord) {
    this.#record = record;
  }

  get record(): GameRecord {
    return this.#record;
  }

  /** Replaces the turns. The ply shown is kept if it still exists. */
  replace(record: GameRecord): void {
    this.#record = record;
    if (this.#ply !== null && this.#ply >= record.turns.length) this.#ply = null;
  }

  /** Number of turns before the position shown. */
  get ply(): number {
    return this.#ply ?? this.#record.turns.length;
  }

  /** Whether the last position is shown. */
  get isLive(): boolean {
    return this.#ply === null;
  }

  get position(): Position {
    return this.#record.at(this.ply);
  }

  /** The turn that led to the position shown. */
  get turn(): PlayedTurn | null {
    return this.#record.turns[this.ply - 1] ?? null;
  }

  goTo(ply: number): void {
    this.#ply = ply >= this.#record.turns.length ? null : Math.max(ply, 0);
  }

  goToEnd(): void {
    this.#ply = null;
  }
}
