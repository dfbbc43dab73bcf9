import type { ClockState, Game, LogEntry, MatchState, Millis } from '../api';
import type { PossibleActView } from '../game-types';
import type { StepView } from '../rules';

/**
 * A game as known to the visitor, maintained by the same code as on the server. Immutable: applying
 * an event returns a new mirror. `now` is the server's time.
 */
export interface GameMirror {
  /**
   * Returns the game after the next event; throws if the event is not the next one or cannot be
   * applied.
   */
  after(entry: LogEntry): GameMirror;
  /** Returns the game with its match's new state. */
  withMatch(state: MatchState): GameMirror;
  /** Returns the state of the game, as in a snapshot without the log. */
  view(now: Millis): Game;
  /** Returns the state of the clocks; null in a game without clocks. */
  clock(now: Millis): ClockState | null;
  /**
   * Returns the acts that the visitor may perform, other than turns and touches. Lists `claim-left`
   * even if the opponent has not been away for long enough yet.
   */
  acts(now: Millis): readonly PossibleActView[];
  /** Returns true if the visitor may touch the piece on a square (C13). */
  mayTouch(square: string, now: Millis): boolean;
  /** Returns those of `steps` that a touch allows after the partial turn `soFar` (C13). */
  allowed(soFar: string, steps: readonly StepView[]): readonly StepView[];
  /** Returns the turn in canonical text; throws if the server would refuse it. */
  play(turn: string, now: Millis): string;
  /**
   * The visitor's conditional answer to the last turn, which the server plays at once; null if
   * there is none.
   */
  readonly conditionalAnswer: string | null;
}

/** Creates mirrors of games. */
export interface Mirrors {
  /** Creates a mirror of the game in a snapshot. */
  of(snapshot: Game): GameMirror;
}
