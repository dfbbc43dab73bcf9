import type { ComposedProblem, Problem } from '../api';
import type { BoardDrawing, Square } from '../board';
import { TurnInProgress, type CompleteTurn } from '../game/turn-in-progress.svelte';
import { t } from '../i18n/i18n.svelte';
import { letterOf } from '../i18n/names';
import { localSan } from '../letters';
import { stepFigure } from '../question/figures';
import { stepAnswer, type Answer, type Sentence } from '../question/answer-text';
import type { Position, Rules } from '../rules';
import type { Variant } from '../variants';
import type { Attempt } from './attempt';

/** State of a problem: open, waiting for the opponent, solved, failed, or given up. */
export type Stage = 'open' | 'waiting' | 'right' | 'wrong' | 'shown';

const plain = (text: string): Sentence => ({ text, clauses: [] });
const replyAfterMs = 450;

/**
 * A problem that is being solved. The opponent replies with the problem's line as long as the solver follows it;
 * after that, the rules look for a defence.
 */
export class ProblemState implements Attempt {
  readonly start: Position;
  readonly canChoose = false;
  readonly chosen: ReadonlySet<Square> = new Set();
  readonly #rules: Rules;
  /** Called once, with the result of the first attempt and the solver's turns in it. */
  readonly #onfirst: (solved: boolean, turns: readonly string[]) => void;
  #turns: readonly string[] = [];
  #counted = false;
  /** The position in which the solver's turn begins. */
  #turnStart: Position = $state.raw() as Position;
  readonly #turn = new TurnInProgress(() => this.#turnStart);
  /** Number of turns of the line played so far; null once the solver has left it. */
  #followed: number | null = 0;
  /** Number of turns that the solver has left. */
  #left: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  stage: Stage = $state('open');
  reply: Answer | null = $state.raw(null);
  drawings: readonly BoardDrawing[] = $state.raw([]);

  readonly position = $derived.by(() => this.#turn.position);
  readonly canMove = $derived.by(() => this.stage === 'open');
  readonly isTouched = $derived.by(() => this.position !== this.start);

  constructor(
    rules: Rules,
    readonly variant: Variant,
    readonly problem: Problem | ComposedProblem,
    onfirst: (solved: boolean, turns: readonly string[]) => void,
  ) {
    this.#rules = rules;
    this.#onfirst = onfirst;
    this.start = rules.fromFen(variant, problem.fen);
    this.#turnStart = this.start;
    this.#left = problem.turns;
  }

  /** The solution in notation. */
  get solution(): string {
    let at = this.start;
    return this.problem.line
      .map((turn) => {
        const san = this.san(at, turn);
        at = at.playTurn(turn);
        return san;
      })
      .join(' · ');
  }

  reset(): void {
    clearTimeout(this.#timer);
    this.#turnStart = this.start;
    this.#turn.clear();
    this.#turns = [];
    this.#followed = 0;
    this.#left = this.problem.turns;
    this.drawings = [];
    this.reply = null;
    this.stage = 'open';
  }

  /** Gives up; shows the first turn of the solution on the board. */
  show(): void {
    this.reset();
    this.stage = 'shown';
    this.#count(false);
    this.reply = { head: t('problem-solution', { turns: this.solution }), lines: [] };
    const [key] = this.problem.line;
    const [first] = key === undefined ? [] : this.start.describe(key).steps;
    if (first)
      this.drawings = stepFigure(first.from, first.to, this.start.aboutStep(first.from, first.to));
  }

  choose(): void {}

  tryIllegal(from: Square, to: Square): void {
    const man = this.position.view.pieces.find(({ square }) => square === from);
    const answer = man && this.position.aboutStep(from, to);
    if (!man || !answer || answer.legal) return;
    this.reply = stepAnswer(man, to, answer);
    this.drawings = stepFigure(from, to, answer);
  }

  play(step: string): void {
    if (!this.canMove) return;
    const complete = this.#turn.play(step);
    this.drawings = [];
    if (complete === null) {
      this.reply = { head: t('problem-chain'), lines: [] };
      return;
    }
    this.#turns = [...this.#turns, complete.text];
    this.#judge(complete);
  }

  /** Cancels pending replies when the page is left. */
  leave(): void {
    clearTimeout(this.#timer);
  }

  #judge({ text, after }: CompleteTurn): void {
    const { line, goal } = this.problem;
    const followed = this.#followed;
    if (followed !== null && text === line[followed]) {
      const reply = line[followed + 1];
      if (reply === undefined) this.#right();
      else this.#answer(after, reply, this.#left - 1, followed + 2);
      return;
    }
    this.#followed = null;
    if (goal === 'gain') {
      // An immediate win beats any gain.
      if (after.answerTo(0).outcome === 'over') this.#right();
      else this.#wrong(t('problem-worse'));
      return;
    }
    const { outcome, turn, left } = after.answerTo(this.#left - 1);
    // The first turn has been proved to be the only solution.
    const isFirst = followed === 0;
    if (outcome === 'over') this.#right();
    else if (outcome === 'resists' && turn !== null && left !== null && !isFirst)
      this.#answer(after, turn, left, null);
    else if (outcome === 'refutes' && turn !== null)
      this.#wrong(t('problem-refuted', { turn: this.san(after, turn) }));
    else if (outcome === 'ends') this.#wrong(t('problem-drawn'));
    else if (outcome === 'unknown' && !isFirst) this.#wrong(t('problem-unknown'));
    else this.#wrong(t('problem-late'));
  }

  /** Plays the opponent's reply after a short delay. */
  #answer(after: Position, turn: string, left: number, followed: number | null): void {
    this.stage = 'waiting';
    this.reply = null;
    const san = this.san(after, turn);
    this.#timer = setTimeout(() => {
      this.#turnStart = after.playTurn(turn);
      this.#turn.clear();
      this.#left = left;
      this.#followed = followed;
      this.stage = 'open';
      this.reply = { head: t('problem-go-on', { turn: san }), lines: [] };
    }, replyAfterMs);
  }

  #right(): void {
    this.stage = 'right';
    const why = this.problem.goal === 'win' ? t('problem-right-win') : t('problem-right-gain');
    this.reply = { head: t('problem-right'), lines: [plain(why)] };
    this.#count(true);
  }

  #wrong(why: string): void {
    this.stage = 'wrong';
    this.reply = { head: t('problem-wrong'), lines: [plain(why)] };
    this.#count(false);
  }

  #count(solved: boolean): void {
    if (this.#counted) return;
    this.#counted = true;
    this.#onfirst(solved, this.#turns);
  }

  /** Returns a turn in notation. */
  san(position: Position, turn: string): string {
    const roles = this.#rules.roles(this.variant);
    return localSan(position.describe(turn).san, roles, letterOf);
  }
}
