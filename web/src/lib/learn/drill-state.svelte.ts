import type { Drill } from '../api';
import type { BoardDrawing, Square } from '../board';
import { turnText, turnWords } from '../game/announce';
import { TurnInProgress } from '../game/turn-in-progress.svelte';
import { t } from '../i18n/i18n.svelte';
import { stepFigure } from '../question/figures';
import { reasonLine, stepAnswer, type Answer, type Sentence } from '../question/answer-text';
import type { Position, Rules } from '../rules';
import type { Variant } from '../variants';
import type { Attempt } from './attempt';
import { drillText } from './drill-text';
import { wrongTurnText } from './wrong-turn';

/** Verdict on the reader's answer; `waiting` while the opponent replies. */
export type Verdict = 'open' | 'waiting' | 'right' | 'wrong' | 'illegal';

const replyAfterMs = 450;

/**
 * A drill that is being solved. Answers are compared with the drill's solutions, which the rules
 * have confirmed; the rules also explain errors.
 */
export class DrillState implements Attempt {
  readonly start: Position;
  /**
   * The turns played before the drill begins, in words, because the lessons do not teach notation.
   */
  readonly before: readonly string[];
  /** FENs of the positions from the drill's initial FEN to the first question. */
  readonly #pastOfStart: readonly string[];
  /** FENs of the positions from the drill's initial FEN to the current question. */
  #past: readonly string[];
  /** Index of the turn to find. */
  #stage = 0;
  #turnStart: Position = $state.raw() as Position;
  readonly #turn = new TurnInProgress(() => this.#turnStart);
  #timer: ReturnType<typeof setTimeout> | undefined;
  chosen: ReadonlySet<Square> = $state.raw(new Set());
  verdict: Verdict = $state('open');
  reply: Answer | null = $state.raw(null);
  drawings: readonly BoardDrawing[] = $state.raw([]);

  readonly position = $derived.by(() => this.#turn.position);
  /** Whether there is anything to take back. */
  readonly isTouched = $derived.by(() => this.position !== this.start || this.chosen.size > 0);
  readonly canMove = $derived.by(
    () => this.drill.manner === 'turn' && (this.verdict === 'open' || this.verdict === 'illegal'),
  );
  readonly canChoose = $derived.by(
    () => this.drill.manner === 'squares' && this.verdict !== 'right',
  );

  constructor(
    rules: Rules,
    readonly variant: Variant,
    readonly drill: Drill,
  ) {
    let position = rules.fromFen(variant, drill.fen);
    const before: string[] = [];
    const past = [position.view.fen];
    for (const turn of drill.before) {
      before.push(turnWords(position.describe(turn), position));
      position = position.playTurn(turn);
      past.push(position.view.fen);
    }
    this.#pastOfStart = past;
    this.#past = past;
    this.start = position;
    this.#turnStart = position;
    this.before = before;
  }

  /** Takes back the wrong turn, if there is one; otherwise takes back everything. */
  reset(): void {
    clearTimeout(this.#timer);
    if (this.verdict !== 'wrong') {
      this.#stage = 0;
      this.#turnStart = this.start;
      this.#past = this.#pastOfStart;
    }
    this.#turn.clear();
    this.chosen = new Set();
    this.#say('open', null);
  }

  /** Takes back a wrong turn, so that the reader can try another without looking for the button. */
  takeBackWrong(): void {
    if (this.verdict !== 'wrong' || this.drill.manner !== 'turn') return;
    this.reset();
    // The press that took the turn back may have selected nothing, because the piece that it was
    // meant for has returned to its square. The message explains this.
    this.#say('open', { head: t('drill-taken-back'), lines: [] });
  }

  /** Cancels pending replies when the page is left. */
  leave(): void {
    clearTimeout(this.#timer);
  }

  /** Plays a step, and checks the turn once it is complete. */
  play(step: string): void {
    if (!this.canMove) return;
    const before = this.position;
    const { from, to } = before.view.steps.find(({ text }) => text === step) ?? {};
    if (from === undefined || to === undefined) return;
    const answer = before.explainStep(from, to);
    const complete = this.#turn.play(step);
    if (complete === null) {
      this.#say('open', { head: t('drill-goes-on'), lines: [] });
      return;
    }
    const { after } = complete;
    if (this.#solutions.includes(complete.text)) {
      const next = this.drill.then[this.#stage];
      if (next) this.#reply(after, next.reply);
      else this.#right(stepFigure(from, to, answer));
      return;
    }
    const man = before.view.pieces.find(({ square }) => square === from);
    // Describe captures, castling and giving up, but say nothing about any other step.
    const effects =
      answer.legal?.takings.length || answer.legal?.castling || answer.legal?.givingUp;
    const wrong = wrongTurnText({
      drill: this.drill,
      stage: this.#stage,
      before: this.#turnStart,
      turn: complete.text,
      after,
      solutions: this.#solutions,
      past: this.#past,
    });
    const lines = [
      this.#withClause(wrong.goal),
      ...(man && effects ? stepAnswer(man, to, answer).lines : []),
      ...wrong.lines,
    ];
    this.#say('wrong', { head: t('drill-wrong'), lines });
  }

  /** Explains why an attempted step is illegal. */
  tryIllegal(from: Square, to: Square): void {
    const man = this.position.view.pieces.find(({ square }) => square === from);
    if (!man) return;
    const answer = this.position.explainStep(from, to);
    if (answer.legal) return;
    this.#say('illegal', stepAnswer(man, to, answer), stepFigure(from, to, answer));
  }

  choose(square: Square): void {
    if (!this.canChoose) return;
    const chosen = new Set(this.chosen);
    if (!chosen.delete(square)) chosen.add(square);
    this.chosen = chosen;
    this.#say('open', null);
  }

  /** Checks the selected squares. */
  check(): void {
    const { solutions, man } = this.drill;
    const extra = [...this.chosen].filter((square) => !solutions.includes(square));
    const missing = solutions.filter((square) => !this.chosen.has(square as Square));
    if (extra.length === 0 && missing.length === 0) {
      this.#right([]);
      return;
    }
    const lines = extra.flatMap((square) => {
      const answer = man === null ? null : this.start.explainStep(man as Square, square);
      // Only the first reason names the square; the others follow it.
      return (answer?.reasons ?? []).map((reason, index) => {
        const { text, clauses } = reasonLine(reason);
        return index === 0
          ? { text: t('drill-extra', { square, why: text }), clauses }
          : { text, clauses };
      });
    });
    if (missing.length > 0)
      lines.push(this.#withClause(t('drill-missing', { count: missing.length })));
    const marks = extra.map((square): BoardDrawing => ({
      from: square,
      to: square,
      brush: 'shift',
    }));
    this.#say('wrong', { head: t('drill-wrong'), lines }, marks);
  }

  /**
   * Checks a yes-or-no answer. After a wrong answer only the right one is left, so the explanation
   * reveals nothing new.
   */
  answer(choice: 'yes' | 'no'): void {
    if (this.drill.solutions.includes(choice)) {
      this.#right([]);
      return;
    }
    this.#say('wrong', { head: t('drill-wrong'), lines: [this.#why] });
  }

  get #solutions(): readonly string[] {
    const { solutions, then } = this.drill;
    return then[this.#stage - 1]?.solutions ?? solutions;
  }

  /** The explanation of the right answer. */
  get #why(): Sentence {
    return this.#withClause(drillText(this.variant, this.drill.name, 'why'));
  }

  /** Adds the clause that the drill is about. */
  #withClause(text: string): Sentence {
    return { text, clauses: [{ id: this.drill.clause, rules: this.variant }] };
  }

  /** Plays the opponent's reply after a short delay. */
  #reply(after: Position, turn: string): void {
    this.#say('waiting', null);
    const words = turnText(after.describe(turn), after);
    this.#timer = setTimeout(() => {
      this.#turnStart = after.playTurn(turn);
      this.#past = [...this.#past, after.view.fen, this.#turnStart.view.fen];
      this.#turn.clear();
      this.#stage += 1;
      this.#say('open', { head: t('drill-go-on', { turn: words }), lines: [] });
    }, replyAfterMs);
  }

  #right(drawings: readonly BoardDrawing[]): void {
    this.#say('right', { head: t('drill-right'), lines: [this.#why] }, drawings);
  }

  #say(verdict: Verdict, reply: Answer | null, drawings: readonly BoardDrawing[] = []): void {
    this.verdict = verdict;
    this.reply = reply;
    this.drawings = drawings;
  }
}
