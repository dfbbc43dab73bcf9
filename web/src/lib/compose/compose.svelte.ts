import type { Composition, ProofReport } from '../api';
import type { BoardDrawing, Brush, Square } from '../board';
import { TurnInProgress } from '../game/turn-in-progress.svelte';
import { shownSan } from '../i18n/names';
import type { Attempt } from '../learn/attempt';
import { proveComposition } from '../learn/calls';
import { stepFigure } from '../question/figures';
import { stepAnswer, type Answer } from '../question/answer-text';
import { refusalOf, type Refusal } from '../refusal';
import type { Position, Rules } from '../rules';
import type { Variant } from '../variants';
import { withLine, withoutLine, type Lines } from './lines';

/** Maximum number of turns in which a composed problem can be won. */
export const MAX_TURNS = 8;

/** A problem being composed: a position, a goal and the lines of its solution. */
export class ComposeState implements Attempt {
  readonly canChoose = false;
  readonly chosen: ReadonlySet<Square> = new Set();
  readonly #rules: Rules;
  readonly start: Position;
  turns: number = $state(2);
  lines: Lines = $state.raw([]);
  /** The turns played on the board. */
  path: readonly string[] = $state.raw([]);
  readonly #turn = new TurnInProgress(() => this.#at);
  #proving: AbortController | null = $state.raw(null);
  report: ProofReport | null = $state.raw(null);
  refusal: Refusal | null = $state.raw(null);
  /** Why the last attempted step is illegal. */
  reply: Answer | null = $state.raw(null);
  #figure: readonly BoardDrawing[] = $state.raw([]);

  constructor(
    rules: Rules,
    readonly variant: Variant,
    fen: string,
  ) {
    this.#rules = rules;
    this.start = rules.fromFen(variant, fen);
  }

  readonly #at = $derived.by(() =>
    this.path.reduce((position, turn) => position.playTurn(turn), this.start),
  );
  readonly position = $derived.by(() => this.#turn.position);
  readonly isProving = $derived.by(() => this.#proving !== null);
  readonly isTouched = $derived.by(() => this.path.length > 0 || !this.#turn.isEmpty);
  readonly canMove = $derived.by(() => !this.isProving && this.path.length < 2 * this.turns - 1);
  readonly drawings = $derived.by(() => [...this.#figure, ...this.#reportArrows()]);

  get composition(): Composition {
    return {
      fen: this.start.view.fen,
      goal: 'win',
      turns: this.turns,
      lines: this.lines.map((line) => [...line]),
    };
  }

  setTurns(turns: number): void {
    this.stop();
    this.turns = Math.min(MAX_TURNS, Math.max(1, Math.round(turns) || 1));
    const maxPlies = 2 * this.turns - 1;
    this.lines = this.lines.reduce<Lines>(
      (shortened, line) => withLine(shortened, line.slice(0, maxPlies)),
      [],
    );
    this.#show(this.path.slice(0, maxPlies));
  }

  choose(): void {}

  tryIllegal(from: Square, to: Square): void {
    const man = this.position.view.pieces.find(({ square }) => square === from);
    const answer = man && this.position.explainStep(from, to);
    if (!man || !answer || answer.legal) return;
    this.reply = stepAnswer(man, to, answer);
    this.#figure = stepFigure(from, to, answer);
  }

  play(step: string): void {
    if (!this.canMove) return;
    const complete = this.#turn.play(step);
    if (complete === null) {
      this.#forget();
      return;
    }
    const path = [...this.path, complete.text];
    const lines = withLine(this.lines, path);
    if (lines !== this.lines) this.#forgetReport();
    this.lines = lines;
    this.#show(path);
  }

  /** Takes back the unfinished turn, if any, or else the last turn on the board; the lines stay. */
  back(): void {
    this.#show(this.#turn.isEmpty ? this.path.slice(0, -1) : this.path);
  }

  /** Shows the end of a line on the board. */
  show(line: readonly string[]): void {
    this.#show(line);
  }

  remove(index: number): void {
    // A report that is still to come would be about the lines as they were.
    this.stop();
    this.#forgetReport();
    this.lines = withoutLine(this.lines, index);
    this.#show([]);
  }

  async prove(): Promise<void> {
    this.stop();
    this.#show([]);
    this.#forgetReport();
    const proving = new AbortController();
    this.#proving = proving;
    try {
      const report = await proveComposition(this.variant, this.composition, proving.signal);
      if (proving.signal.aborted) return;
      this.report = report;
      // A refuted line is shown up to its refutation.
      if (report.type === 'refuted') this.#show(report.line);
    } catch (error) {
      if (!proving.signal.aborted) this.refusal = refusalOf(error);
    } finally {
      if (this.#proving === proving) this.#proving = null;
    }
  }

  /** Cancels the current proof, if any, and discards the last report. */
  stop(): void {
    this.#proving?.abort();
    this.#proving = null;
    this.#forgetReport();
  }

  /** Returns the SAN of a turn in a position, for display. */
  readonly san = (position: Position, turn: string): string =>
    shownSan(position.describe(turn).san, this.#rules.roles(this.variant));

  #forget(): void {
    this.reply = null;
    this.#figure = [];
  }

  #forgetReport(): void {
    this.report = null;
    this.refusal = null;
  }

  #show(path: readonly string[]): void {
    this.#forget();
    this.#turn.clear();
    this.path = path;
  }

  /**
   * Returns the arrows for a report. At the start of the problem, they show the first turns that
   * the report names; at the end of a refuted line, the reply that refutes it.
   */
  #reportArrows(): BoardDrawing[] {
    const { report } = this;
    if (report === null || !this.#turn.isEmpty) return [];
    if (report.type === 'refuted') {
      const isThere = this.path.join() === report.line.join();
      return isThere && report.reply !== null ? this.#arrows(report.reply, 'shift') : [];
    }
    if (this.path.length > 0) return [];
    if (report.type === 'second-solution') {
      const own = report.own === null ? [] : this.#arrows(report.own, 'plain');
      return [...own, ...report.others.flatMap(([turn]) => this.#arrows(turn, 'shift'))];
    }
    if (report.type === 'sooner') return this.#arrows(report.line[0], 'shift');
    if (report.type === 'proved') return this.#arrows(report.line[0], 'plain');
    return [];
  }

  #arrows(turn: string | undefined, brush: Brush): BoardDrawing[] {
    if (turn === undefined) return [];
    return this.position.describe(turn).steps.map(({ from, to }) => ({ from, to, brush }));
  }
}
