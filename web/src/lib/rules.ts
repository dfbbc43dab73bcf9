import type { Square } from './board';
import type {
  ManExplanationView,
  DefenceView,
  FenView,
  MissView,
  PositionView,
  RatingView,
  RoleView,
  StepAnswer,
  StepView,
  TurnView,
} from './rules-types';
import type { Variant } from './variants';

export type * from './rules-types';

/** A drill question that is answered by a turn. Turns are in coordinate notation. */
export interface Question {
  readonly goal: string;
  /** The square of the piece that the drill is about, if any. */
  readonly man: string | null;
  /** A right answer, then for each later stage the reply and a right answer. */
  readonly line: readonly string[];
  /** FENs of all positions of the drill up to the question. */
  readonly past: readonly string[];
}

/** A position of one of the games. Immutable: playing returns a new position. */
export interface Position {
  readonly variant: Variant;
  readonly view: PositionView;
  /** Coordinate notation of the steps already played in this turn; empty at the start of a turn. */
  readonly currentSteps: string;
  /** Plays a step; throws if it is illegal. */
  play(step: string): Position;
  /** Plays a whole turn in coordinate notation. */
  playTurn(turn: string): Position;
  /** Parses a turn in SAN (English letters) or coordinate notation; returns it in the latter. */
  readTurn(text: string): string;
  /**
   * Returns the steps that the side not to move can add to its plan. Each is legal after some turn
   * by the opponent, followed by the steps already planned.
   */
  stepsToPlan(planned: readonly string[]): readonly StepView[];
  /** Describes a legal turn: its SAN and its effects. */
  describe(turn: string): TurnView;
  /**
   * Explains what the piece on a square can do, and what restricts it; null if the square is empty.
   */
  explainPiece(square: Square): ManExplanationView | null;
  /** Explains what a step would do, or gives all reasons why it is illegal. */
  explainStep(from: Square, to: Square): StepAnswer;
  /** Explains what a wrong answer to a drill question does, or fails to do. */
  wrongTurn(turn: string, question: Question): readonly MissView[];
  /** Finds the best defence against a win by the opponent within a number of turns. */
  bestDefence(turns: number): DefenceView;
}

/** The rules of all games, compiled from the same source as on the server. */
export interface Rules {
  roles(variant: Variant): readonly RoleView[];
  initial(variant: Variant): Position;
  /** Returns the number of shuffled starts, which are numbered from 0. */
  startCount(variant: Variant): number;
  /** Parses a FEN; throws the reasons if it is not a legal position of this game. */
  fromFen(variant: Variant, fen: string): Position;
  /**
   * Parses a typed or pasted FEN and lists the changes made to it; throws the reasons if it is not
   * a legal position.
   */
  readFen(variant: Variant, text: string): FenView;
  /** Returns the solver's rating after a problem rated `of`. */
  rate(value: number, problems: number, of: number, solved: boolean): RatingView;
}
