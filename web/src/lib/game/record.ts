import type { Position, Rules, TurnView } from '../rules';
import type { Variant } from '../variants';

/** A turn that was played, and the position after it. */
export interface PlayedTurn extends TurnView {
  readonly after: Position;
}

/** The turns of a game with their effects. Immutable: playing a turn returns a new record. */
export class GameRecord {
  private constructor(
    readonly initial: Position,
    readonly turns: readonly PlayedTurn[],
  ) {}

  /** Replays a game from its start; throws if a turn is illegal. */
  static replay(rules: Rules, variant: Variant, fen: string, turns: readonly string[]): GameRecord {
    const initial = rules.fromFen(variant, fen);
    return turns.reduce((record, turn) => record.playing(turn), new GameRecord(initial, []));
  }

  get last(): Position {
    return this.at(this.turns.length);
  }

  /** Returns the position after `ply` turns. */
  at(ply: number): Position {
    return this.turns[ply - 1]?.after ?? this.initial;
  }

  playing(turn: string): GameRecord {
    const before = this.last;
    const played = { ...before.describe(turn), after: before.playTurn(turn) };
    return new GameRecord(this.initial, [...this.turns, played]);
  }
}

/** A row of the move list: the number of a move, and its turns as indices into the record. */
export interface MoveRow {
  readonly number: number;
  readonly white: number | null;
  readonly black: number | null;
}

/**
 * Groups the turns into rows of one turn by White and one by Black, numbered from the move number
 * in the initial FEN.
 */
export function moveRows(record: GameRecord): MoveRow[] {
  const first = Number(record.initial.view.fen.split(' ').at(-1)) || 1;
  const offset = record.initial.view.turn === 'white' ? 0 : 1;
  const rows: MoveRow[] = [];
  if (record.turns.length === 0) return rows;
  for (let slot = 0; slot < record.turns.length + offset; slot += 2) {
    const [white, black] = [slot - offset, slot - offset + 1];
    rows.push({
      number: first + slot / 2,
      white: white >= 0 ? white : null,
      black: black < record.turns.length ? black : null,
    });
  }
  return rows;
}
