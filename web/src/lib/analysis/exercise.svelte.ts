import { TurnInProgress } from '../game/turn-in-progress.svelte';
import { refusalOf, type Refusal } from '../refusal';
import type { Position } from '../rules';
import { lossOf, type JudgedTurn } from './report';
import type { ReportState } from './report-state.svelte';
import type { Tree, TreeNode } from './tree.svelte';

/** Grade of an attempt: `best` is the engine's choice, and `wrong` gives too much away. */
export type Grade = 'best' | 'good' | 'fair' | 'wrong';

/** Maximum loss of expected points for a grade. A loss of exactly 0.05 is already an inaccuracy. */
const maxLoss = { good: 0.02, fair: 0.05 } as const;

/**
 * A position in which the player missed a better turn. The visitor tries other turns, and the
 * engine grades them.
 */
export class Exercise {
  /** The position before the mistake. */
  readonly node: TreeNode;
  readonly #turn = new TurnInProgress(() => this.node.position);
  /** The last attempt, in coordinate notation. */
  tried: string | null = $state(null);
  grade: Grade | null = $state(null);
  /** Expected points lost by the attempt, from 0 to 1. */
  loss = $state(0);
  isJudging = $state(false);
  isShown = $state(false);
  refusal: Refusal | null = $state.raw(null);
  /** Distinguishes the last attempt from earlier ones. */
  #attempt = 0;
  readonly #report: ReportState;
  readonly #tree: Tree;

  constructor(
    report: ReportState,
    tree: Tree,
    readonly judged: JudgedTurn,
  ) {
    this.#report = report;
    this.#tree = tree;
    this.node = tree.mainLine[judged.index]?.parent ?? tree.root;
  }

  /** The position on the board. */
  get position(): Position {
    return this.#turn.position;
  }

  /** Whether the visitor can make an attempt now. */
  get isOpen(): boolean {
    return this.tried === null && !this.isShown;
  }

  /** The best line; its first turn is the solution. */
  get solution(): readonly string[] {
    return this.judged.before.best?.pv.map(({ text }) => text) ?? [];
  }

  async play(step: string): Promise<void> {
    const complete = this.#turn.play(step);
    if (complete === null) return;
    const turn = complete.text;
    this.#attempt += 1;
    const attempt = this.#attempt;
    this.tried = turn;
    if (turn === this.solution[0]) {
      this.loss = 0;
      this.grade = 'best';
      return;
    }
    this.isJudging = true;
    try {
      const turns = [...this.node.path.map((node) => node.turn?.text ?? ''), turn];
      const found = await this.#report.evaluate(this.#tree, turns);
      if (found === null || attempt !== this.#attempt) return;
      this.loss = lossOf(this.judged.color, this.judged.before.expected, found.expected);
      this.grade = this.loss <= maxLoss.good ? 'good' : this.loss < maxLoss.fair ? 'fair' : 'wrong';
    } catch (error) {
      if (attempt === this.#attempt) this.refusal = refusalOf(error);
    } finally {
      if (attempt === this.#attempt) this.isJudging = false;
    }
  }

  /** Takes back the attempt. */
  again(): void {
    this.#turn.clear();
    this.#attempt += 1;
    this.isJudging = false;
    this.tried = null;
    this.grade = null;
    this.isShown = false;
    this.refusal = null;
  }

  /** Plays the best turn on the board. */
  show(): void {
    this.again();
    const [best] = this.solution;
    if (best === undefined) return;
    this.#turn.playAll(this.node.position.describe(best).steps.map(({ text }) => text));
    this.isShown = true;
  }
}
