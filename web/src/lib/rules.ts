import type { Square } from './board';
import type {
  AboutManView,
  DefenceView,
  FenView,
  PositionView,
  RatingView,
  RoleView,
  StepAnswer,
  StepView,
  TurnView,
} from './rules-types';
import type { Variant } from './variants';

export type * from './rules-types';

/** A position of one of the games; it never changes, playing gives another one. */
export interface Position {
  readonly variant: Variant;
  readonly view: PositionView;
  /** Coordinate text of the steps that led here within one turn; empty where a turn begins. */
  readonly under: string;
  /** Plays one step, given by its text; refuses one that is not legal. */
  play(step: string): Position;
  /** Plays a whole turn in coordinate text. */
  playTurn(turn: string): Position;
  /** Reads a turn in SAN (English letters) or coordinate text, and gives its coordinate text. */
  readTurn(text: string): string;
  /**
   * The steps that the side not to move may plan, after those it has planned: those that are legal after some turn of the other side.
   */
  stepsToPlan(planned: readonly string[]): readonly StepView[];
  /** Describes a legal turn: its SAN and its effects. */
  describe(turn: string): TurnView;
  /** Explains what the man on a square can do and what holds it; null if the square is empty. */
  aboutMan(square: Square): AboutManView | null;
  /** Explains what a step would do, or all reasons against it. */
  aboutStep(from: Square, to: Square): StepAnswer;
  /** Finds a defence against the other side's winning within a number of turns. */
  answerTo(turns: number): DefenceView;
}

/** The rules of all the games, compiled from the same source as the server's. */
export interface Rules {
  roles(variant: Variant): readonly RoleView[];
  initial(variant: Variant): Position;
  /** The number of shuffled starts; they are numbered from 0. */
  startCount(variant: Variant): number;
  /** Reads a FEN; refuses one that is not a position of this game, with the reasons. */
  fromFen(variant: Variant, fen: string): Position;
  /** Reads a FEN that was typed or pasted, and tells what was left out; refuses one that is not a position of this game. */
  readFen(variant: Variant, text: string): FenView;
  /** The rating of a solver after a problem of rating `of`. */
  rate(value: number, problems: number, of: number, solved: boolean): RatingView;
}
