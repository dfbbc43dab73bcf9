import type { ClockState, Game, LogEntry, MatchState, Millis } from '../api';
import type { PossibleActView } from '../game-types';
import type { StepView } from '../rules';

/**
 * A game as the visitor knows it, kept by the same code as the server's own. It never changes: an event gives another one. Instants
 * are the server's.
 */
export interface GameMirror {
  /** The game after the event that comes next; refuses one that does not. */
  after(entry: LogEntry): GameMirror;
  /** The game with its match as it now stands. */
  withMatch(state: MatchState): GameMirror;
  /** All that there is to show. */
  view(now: Millis): Game;
  /** The state of the clocks; null in a game without clocks. */
  clock(now: Millis): ClockState | null;
  /** The acts that the visitor may do, turns and touches apart. */
  acts(now: Millis): readonly PossibleActView[];
  /** Whether the visitor may touch the man on a square (C13). */
  mayTouch(square: string, now: Millis): boolean;
  /** Those of the steps that go on with a turn, of which `begun` has been played, that a touch allows (C13). */
  allowed(begun: string, steps: readonly StepView[]): readonly StepView[];
  /** The turn that the visitor wants to play, as the game writes it; refuses one that the server would refuse. */
  play(turn: string, now: Millis): string;
  /** The turn that the visitor's conditions answer to the one played last: the server plays it at once. */
  readonly conditionalAnswer: string | null;
}

/** Makes mirrors of games. */
export interface Mirrors {
  /** The game that a snapshot tells of. */
  of(snapshot: Game): GameMirror;
}
