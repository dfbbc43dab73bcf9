import type { Position, Rules, TurnView } from '../rules';
import type { Variant } from '../variants';

/** A turn that has been played, and the position it led to. */
export interface PlayedTurn extends TurnView {
  readonly after: Position;
}

/** The turns of a game, each with what it did. It never changes: playing gives another one. */
export class GameRecord {
  private constructor(
    readonly initial: Position,
    readonly turns: readonly PlayedTurn[],
  ) {}

  /** Replays a game from its start; refuses a turn that is not legal. */
  static replay(rules: Rules, variant: Variant, fen: string, turns: readonly string[]): GameRecord {
    const initial = rules.fromFen(variant, fen);
    return turns.reduce((record, turn) => record.playing(turn), new GameRecord(initial, []));
  }

  get last(): Position {
    return this.at(this.turns.length);
  }

  /** The position after that many turns. */
  at(ply: number): Position {
    return this.turns[ply - 1]?.after ?? this.initial;
  }

  playing(turn: string): GameRecord {
    const before = this.last;
    const played = { ...before.describe(turn), after: before.playTurn(turn) };
    return new GameRecord(this.initial, [...this.turns, played]);
  }
}

/** A row of the list of moves: the number and the turns of one move, as indices into the record. */
export interface MoveRow {
  readonly number: number;
  readonly white: number | null;
  readonly black: number | null;
}

/** The turns in rows of White's and Black's, numbered from the number in the initial FEN. */
export function moveRows(record: GameRecord): MoveRow[] {
  const first = Number(record.initial.view.fen.split(' ').at(-1)) || 1;
  const offset = record.initial.view.turn === 'white' ? 0 : 1;
  const rows: MoveRow[] = [];
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
