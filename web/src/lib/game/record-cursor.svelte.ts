import type { Position } from '../rules';
import type { GameRecord, PlayedTurn } from './record';

/** The turns of a game and the one shown: the last one, which moves with the game, or an earlier one. */
export class RecordCursor {
  #record: GameRecord = $state.raw() as GameRecord;
  #ply: number | null = $state.raw(null);

  constructor(record: GameRecord) {
    this.#record = record;
  }

  get record(): GameRecord {
    return this.#record;
  }

  /** Puts other turns in the place of those there were; the place looked at stays if it still exists. */
  replace(record: GameRecord): void {
    this.#record = record;
    if (this.#ply !== null && this.#ply >= record.turns.length) this.#ply = null;
  }

  /** The number of turns before the place looked at. */
  get ply(): number {
    return this.#ply ?? this.#record.turns.length;
  }

  /** Whether the end is looked at. */
  get isLive(): boolean {
    return this.#ply === null;
  }

  get position(): Position {
    return this.#record.at(this.ply);
  }

  /** The turn that led to the place looked at. */
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
