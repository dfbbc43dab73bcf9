import type { ComposedProblem, Problem } from '../api';
import type { BoardDrawing, Square } from '../board';
import { TurnInProgress, type CompleteTurn } from '../game/turn-in-progress.svelte';
import { t } from '../i18n/i18n.svelte';
import { pieceName, shownSan } from '../i18n/names';
import { stepFigure } from '../question/figures';
import { stepAnswer, type Answer, type Sentence } from '../question/answer-text';
import type { Position, Rules, StepView } from '../rules';
import { capturesOf, endsOf } from '../step-squares';
import type { Variant } from '../variants';
import type { Attempt } from './attempt';
import type { EngineLine, LineEngine, LineRequest } from './engine-line';

/**
 * State of a problem: the opponent's preceding turn is being played, the solver is to move, the
 * opponent is to reply, or the problem is solved, failed or given up.
 */
export type Stage = 'scene' | 'open' | 'waiting' | 'right' | 'wrong' | 'shown';

/** A turn of the solution and the position after it. */
export interface SolutionTurn {
  /** Coordinate notation. */
  readonly text: string;
  readonly san: string;
  readonly steps: readonly StepView[];
  readonly after: Position;
}

/** What is known of the engine's line after the solution. */
export type LineState = 'none' | 'thinking' | 'known' | 'failed';

/** Starts the engine. Neither its code nor its network is loaded before that. */
async function startEngine(): Promise<LineEngine> {
  const { EngineClient } = await import('../analysis/engine');
  return new EngineClient();
}

const plain = (text: string): Sentence => ({ text, clauses: [] });
/** Time for which the position before the problem is shown, in milliseconds. */
const sceneMs = 900;
const replyAfterMs = 450;

/**
 * A problem that is being solved. First the opponent plays the turn that led to it. The opponent's
 * replies come from the problem's line as long as the solver follows it; otherwise the rules look
 * for a defence. Once the problem is over, its solution can be stepped through.
 */
export class ProblemState implements Attempt {
  readonly start: Position;
  readonly canChoose = false;
  readonly chosen: ReadonlySet<Square> = new Set();
  readonly #rules: Rules;
  /**
   * Called once, with the result of the first attempt and the solver's turns in it; without turns
   * if the solver gave up.
   */
  readonly #onfirst: (solved: boolean, turns: readonly string[]) => void;
  #solverTurns: readonly string[] = [];
  #counted = false;
  /** The position in which the solver's turn begins. */
  #turnStart: Position = $state.raw() as Position;
  readonly #turn = new TurnInProgress(() => this.#turnStart);
  /** Number of turns of the line played so far; null once the solver has left the line. */
  #linePly: number | null = $state(0);
  /** Number of turns remaining for the solver. */
  #turnsLeft: number;
  /**
   * The position before the opponent's turn that led to the problem, and the steps of that turn.
   */
  readonly #scene: { readonly position: Position; readonly steps: readonly StepView[] } | null;
  /** The turns played so far by both sides, in coordinate notation. */
  #line: readonly string[] = [];
  /** How much of the next step has been revealed: nothing, the piece, or its destination too. */
  #hints: 0 | 1 | 2 = $state(0);
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The steps of the opponent's last reply. */
  #reply: readonly StepView[] = $state.raw([]);
  stage: Stage = $state('open');
  reply: Answer | null = $state.raw(null);
  drawings: readonly BoardDrawing[] = $state.raw([]);

  /** The turns of the solution, once the problem is over. */
  solution: readonly SolutionTurn[] = $state.raw([]);
  /** The turns with which the engine continues, until the advantage is on the board. */
  continuation: readonly SolutionTurn[] = $state.raw([]);
  /** What the solution wins, in a sentence; null if it is a forced win, or not known. */
  gainText: string | null = $state(null);
  lineState: LineState = $state('none');
  /** The solution and its continuation. */
  readonly turns = $derived.by(() => [...this.solution, ...this.continuation]);
  /** The number of these turns that have been played on the board. */
  ply = $state(0);
  readonly #startEngine: () => Promise<LineEngine>;
  #engine: Promise<LineEngine> | null = null;
  /** Identifies the latest request to the engine. Answers to earlier ones are ignored. */
  #asked = 0;

  readonly position = $derived.by(() => {
    if (this.stage === 'scene' && this.#scene) return this.#scene.position;
    if (!this.isOver) return this.#turn.position;
    return this.ply === 0 ? this.start : (this.turns[this.ply - 1]?.after ?? this.start);
  });
  readonly isOver = $derived.by(() => this.stage === 'right' || this.stage === 'shown');
  readonly canMove = $derived.by(() => this.stage === 'open');
  readonly isTouched = $derived.by(
    () => this.stage !== 'scene' && (this.isOver || this.position !== this.start),
  );
  /** The steps of the turn in progress, if there are any; otherwise those of the last turn. */
  readonly #lastSteps = $derived.by(() => {
    if (this.stage === 'scene') return [];
    if (this.isOver && this.ply > 0) return this.turns[this.ply - 1]?.steps ?? [];
    if (!this.isOver && !this.#turn.isEmpty) return this.#turn.steps;
    const isAtStart = this.isOver || this.#turnStart === this.start;
    return isAtStart ? (this.#scene?.steps ?? []) : this.#reply;
  });
  readonly lastMove = $derived.by(() => endsOf(this.#lastSteps));
  readonly lastTaken = $derived.by(() => capturesOf(this.#lastSteps));
  /**
   * Whether more of the next step can be revealed. That step is known only while the solver follows
   * the solution.
   */
  readonly canHint = $derived.by(
    () => this.stage === 'open' && this.#hints < 2 && this.#nextStep !== null,
  );

  constructor(
    rules: Rules,
    readonly variant: Variant,
    readonly problem: Problem | ComposedProblem,
    onfirst: (solved: boolean, turns: readonly string[]) => void,
    engine = startEngine,
  ) {
    this.#rules = rules;
    this.#onfirst = onfirst;
    this.#startEngine = engine;
    this.start = rules.fromFen(variant, problem.fen);
    this.#turnStart = this.start;
    this.#turnsLeft = problem.turns;
    this.#scene = this.#readScene();
    if (this.#scene === null) return;
    this.stage = 'scene';
    this.#timer = setTimeout(() => this.#open(), sceneMs);
  }

  /**
   * The opponent's turn that led to the problem, in the visitor's notation; null if it is not
   * known.
   */
  get sceneText(): string | null {
    const before = 'before' in this.problem ? this.problem.before : null;
    return before && this.#scene ? this.san(this.#scene.position, before.turn) : null;
  }

  reset(): void {
    clearTimeout(this.#timer);
    this.#turnStart = this.start;
    this.#turn.clear();
    this.#solverTurns = [];
    this.#line = [];
    this.#reply = [];
    this.#linePly = 0;
    this.#turnsLeft = this.problem.turns;
    this.#hints = 0;
    this.solution = [];
    this.#forgetLine();
    this.ply = 0;
    this.drawings = [];
    this.reply = null;
    this.#open();
  }

  /** Gives up. The solution can be stepped through, beginning with its first turn. */
  show(): void {
    this.reset();
    this.#count(false);
    this.#finish('shown', this.problem.line);
    this.goTo(0);
    const turns = this.solution.map(({ san }) => san).join(' · ');
    this.reply = { head: t('problem-solution', { turns }), lines: [] };
  }

  /** Shows the position after the given number of turns of the solution and its continuation. */
  goTo(ply: number): void {
    if (!this.isOver) return;
    this.ply = Math.min(Math.max(ply, 0), this.turns.length);
    const next = this.stage === 'shown' ? this.turns[this.ply]?.steps[0] : undefined;
    this.drawings = next ? this.#figure(next) : [];
  }

  /**
   * Reveals which piece makes the next step and, on the second call, where it goes. Counts as a
   * failure.
   */
  hint(): void {
    const step = this.#nextStep;
    if (!this.canHint || step === null) return;
    this.#count(false);
    const { from, to } = step;
    const piece = this.position.view.pieces.find(({ square }) => square === from);
    if (this.#hints === 0 && piece) {
      this.#hints = 1;
      const name = pieceName(piece.color, piece.role);
      this.reply = { head: t('problem-hint-piece', { piece: name, square: from }), lines: [] };
      this.drawings = [{ from, to: from, brush: 'plain' }];
      return;
    }
    this.#hints = 2;
    const head = from === to ? t('problem-hint-stays', { from }) : t('problem-hint', { from, to });
    this.reply = { head, lines: [] };
    this.drawings = this.#figure(step);
  }

  choose(): void {}

  tryIllegal(from: Square, to: Square): void {
    const man = this.position.view.pieces.find(({ square }) => square === from);
    const answer = man && this.position.explainStep(from, to);
    if (!man || !answer || answer.legal) return;
    this.reply = stepAnswer(man, to, answer);
    this.drawings = stepFigure(from, to, answer);
  }

  play(step: string): void {
    if (!this.canMove) return;
    const complete = this.#turn.play(step);
    this.drawings = [];
    this.#hints = 0;
    if (complete === null) {
      this.reply = { head: t('problem-chain'), lines: [] };
      return;
    }
    this.#solverTurns = [...this.#solverTurns, complete.text];
    this.#line = [...this.#line, complete.text];
    this.#judge(complete);
  }

  /** Cancels pending replies and closes the engine when the page is left. */
  leave(): void {
    clearTimeout(this.#timer);
    this.#forgetLine();
    this.#closeEngine();
  }

  #judge({ text, after }: CompleteTurn): void {
    const { line, goal } = this.problem;
    const linePly = this.#linePly;
    if (linePly !== null && text === line[linePly]) {
      const reply = line[linePly + 1];
      if (reply === undefined) this.#right();
      else this.#answer(after, reply, this.#turnsLeft - 1, linePly + 2);
      return;
    }
    this.#linePly = null;
    if (goal === 'gain') {
      // An immediate win beats any gain.
      const { outcome } = after.bestDefence(0);
      if (outcome === 'over') this.#right();
      else if (outcome === 'ends') this.#wrong(t('problem-drawn'));
      else {
        const worse = plain(t('problem-worse'));
        this.#wrong(worse, t('problem-refuting'));
        void this.#refute(after, worse);
      }
      return;
    }
    const { outcome, turn, left } = after.bestDefence(this.#turnsLeft - 1);
    // The first turn has been proved to be the only solution.
    const isFirst = linePly === 0;
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
  #answer(after: Position, turn: string, left: number, linePly: number | null): void {
    this.stage = 'waiting';
    this.reply = null;
    this.#line = [...this.#line, turn];
    const { steps } = after.describe(turn);
    const san = this.san(after, turn);
    this.#timer = setTimeout(() => {
      this.#turnStart = after.playTurn(turn);
      this.#reply = steps;
      this.#turn.clear();
      this.#turnsLeft = left;
      this.#linePly = linePly;
      this.stage = 'open';
      this.reply = { head: t('problem-go-on', { turn: san }), lines: [] };
    }, replyAfterMs);
  }

  #right(): void {
    this.#finish('right', this.#line);
    const why = this.problem.goal === 'win' ? t('problem-right-win') : t('problem-right-gain');
    this.reply = { head: t('problem-right'), lines: [plain(why)] };
    this.#count(true);
  }

  #wrong(...why: readonly (string | Sentence)[]): void {
    this.stage = 'wrong';
    const lines = why.map((line) => (typeof line === 'string' ? plain(line) : line));
    this.reply = { head: t('problem-wrong'), lines };
    this.#count(false);
  }

  /**
   * Shows the reply that refutes a wrong turn, if the engine finds a clear one. The verdict keeps
   * its first sentence, so that the page recognises it as the same verdict.
   */
  async #refute(after: Position, worse: Sentence): Promise<void> {
    const opponent = after.view.turn;
    const found = await this.#ask({ base: this.start, turns: this.#line, winner: opponent });
    if (found === 'outdated') return;
    const { turns, gain } = found ?? { turns: [], gain: null };
    const [text] = turns;
    if (text === undefined || gain === null) {
      this.#wrong(worse);
      return;
    }
    const turn = this.san(after, text);
    this.#wrong(worse, t('problem-reply', { color: opponent, turn, gain }));
    const [step] = after.describe(text).steps;
    if (step) this.drawings = stepFigure(step.from, step.to, after.explainStep(step.from, step.to));
  }

  /** Shows how the engine continues after the solution, and what that wins. */
  async #continue(): Promise<void> {
    const last = this.solution.at(-1);
    if (!last || last.after.view.steps.length === 0) return;
    const solver = this.start.view.turn;
    const line = this.solution.map(({ text }) => text);
    const before = 'before' in this.problem ? this.problem.before : null;
    // What the opponent has just captured is part of the exchange.
    const request =
      before && this.#scene
        ? { base: this.#scene.position, turns: [before.turn, ...line] }
        : { base: this.start, turns: line };
    this.lineState = 'thinking';
    const found = await this.#ask({ ...request, winner: solver });
    if (found === 'outdated') return;
    this.lineState = found === null ? 'failed' : 'known';
    if (found === null) return;
    this.continuation = this.#turnsFrom(last.after, found.turns);
    if (found.gain !== null)
      this.gainText = t('problem-line-gain', { color: solver, gain: found.gain });
  }

  /**
   * Asks the engine for a line. Returns null if the engine is not available or fails, and
   * `outdated` if the visitor has moved on in the meantime.
   */
  async #ask(request: LineRequest): Promise<EngineLine | null | 'outdated'> {
    this.#asked += 1;
    const asked = this.#asked;
    const isOutdated = (): boolean => asked !== this.#asked;
    try {
      const starting = (this.#engine ??= this.#startEngine());
      // The next request starts the engine again, even if this one is outdated by then.
      starting.catch(() => {
        if (this.#engine === starting) this.#engine = null;
      });
      const [engine, { findLine }] = await Promise.all([starting, import('./engine-line')]);
      if (isOutdated()) return 'outdated';
      const found = await findLine(engine, request);
      return isOutdated() ? 'outdated' : found;
    } catch {
      if (isOutdated()) return 'outdated';
      // The next request starts another engine.
      this.#closeEngine();
      return null;
    }
  }

  #closeEngine(): void {
    void this.#engine?.then(
      (engine) => engine.close(),
      () => {},
    );
    this.#engine = null;
  }

  #forgetLine(): void {
    this.#asked += 1;
    this.continuation = [];
    this.gainText = null;
    this.lineState = 'none';
  }

  #open(): void {
    clearTimeout(this.#timer);
    this.stage = 'open';
  }

  #finish(stage: 'right' | 'shown', line: readonly string[]): void {
    this.solution = this.#turnsFrom(this.start, line);
    this.ply = this.solution.length;
    this.stage = stage;
    if (this.problem.goal === 'gain') void this.#continue();
  }

  #turnsFrom(start: Position, texts: readonly string[]): readonly SolutionTurn[] {
    let current = start;
    return texts.map((text) => {
      const { steps } = current.describe(text);
      const san = this.san(current, text);
      current = current.playTurn(text);
      return { text, san, steps, after: current };
    });
  }

  #readScene(): { position: Position; steps: readonly StepView[] } | null {
    const before = 'before' in this.problem ? this.problem.before : null;
    if (before === null) return null;
    const position = this.#rules.fromFen(this.variant, before.fen);
    return { position, steps: position.describe(before.turn).steps };
  }

  /** The next step of the solution; null if the solver has left it. */
  get #nextStep(): StepView | null {
    const text = this.#linePly === null ? undefined : this.problem.line[this.#linePly];
    if (text === undefined) return null;
    const { steps } = this.#turnStart.describe(text);
    const played = this.#turn.steps;
    const follows = played.every((step, index) => step.text === steps[index]?.text);
    return follows ? (steps[played.length] ?? null) : null;
  }

  #figure({ from, to }: StepView): BoardDrawing[] {
    return stepFigure(from, to, this.position.explainStep(from, to));
  }

  #count(solved: boolean): void {
    if (this.#counted) return;
    this.#counted = true;
    this.#onfirst(solved, this.#solverTurns);
  }

  /** Returns a turn in the visitor's notation. */
  san(position: Position, turn: string): string {
    const roles = this.#rules.roles(this.variant);
    return shownSan(position.describe(turn).san, roles);
  }
}
