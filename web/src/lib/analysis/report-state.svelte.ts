import type { AnswerView } from '../analysis-types';
import { refusalOf, type Refusal } from '../refusal';
import { EngineClient } from './engine';
import { judge, nagOf, REPORT_NODES, type Evaluation, type JudgedTurn } from './report';
import type { Tree } from './tree.svelte';

/** One thread only: the same searches in the same order then give the same report. */
const THREADS = 1;

/** Converts the answer from a completed search to an evaluation. */
function evaluationOf({ best, points }: AnswerView): Evaluation {
  return { expected: points ?? best?.expected ?? 0.5, best: points === null ? best : null };
}

/**
 * The report on a tree's main line, created position by position until it is complete or cancelled.
 */
export class ReportState {
  /** Numbers of positions evaluated so far and in total; null while no report is being created. */
  progress = $state.raw<{ done: number; all: number } | null>(null);
  judged: readonly JudgedTurn[] = $state.raw([]);
  evaluations: readonly Evaluation[] = $state.raw([]);
  refusal: Refusal | null = $state.raw(null);
  /** The initial FEN and the turns that the report covers. */
  #reportedLine: string | null = $state(null);
  /** Distinguishes the current report from one that was started earlier. */
  #run = 0;
  readonly client: EngineClient;

  constructor(client = new EngineClient()) {
    this.client = client;
  }

  static #lineOf(tree: Tree): string {
    const turns = tree.mainLine.map(({ turn }) => turn?.text ?? '');
    return [tree.initial.view.fen, ...turns].join(' ');
  }

  /** Returns true if there is a report on the tree's current main line. */
  isOf(tree: Tree): boolean {
    return this.#reportedLine !== null && this.#reportedLine === ReportState.#lineOf(tree);
  }

  async create(tree: Tree): Promise<void> {
    this.#run += 1;
    const run = this.#run;
    const turns = tree.mainLine.flatMap(({ turn }) => (turn === null ? [] : [turn]));
    const texts = turns.map(({ text }) => text);
    const evaluations: Evaluation[] = [];
    this.judged = [];
    this.evaluations = [];
    this.refusal = null;
    this.#reportedLine = null;
    this.progress = { done: 0, all: turns.length + 1 };
    try {
      for (let ply = 0; ply <= turns.length; ply += 1) {
        const answer = await this.client.search(
          {
            variant: tree.variant,
            fen: tree.initial.view.fen,
            turns: texts.slice(0, ply),
            lines: 1,
            threads: THREADS,
            nodes: REPORT_NODES,
            depth: null,
          },
          () => {},
        );
        if (answer === null || run !== this.#run) return;
        evaluations.push(evaluationOf(answer));
        this.progress = { done: ply + 1, all: turns.length + 1 };
      }
      this.evaluations = evaluations;
      this.judged = judge(turns, evaluations);
      this.#reportedLine = [tree.initial.view.fen, ...texts].join(' ');
    } catch (error) {
      if (run === this.#run) this.refusal = refusalOf(error);
    } finally {
      if (run === this.#run) this.progress = null;
    }
  }

  cancel(): void {
    this.#run += 1;
    this.client.stop();
    this.progress = null;
  }

  /** Evaluates the position after the given turns; null if another search stopped this one. */
  async evaluate(tree: Tree, turns: readonly string[]): Promise<Evaluation | null> {
    const answer = await this.client.search(
      {
        variant: tree.variant,
        fen: tree.initial.view.fen,
        turns: [...turns],
        lines: 1,
        threads: THREADS,
        nodes: REPORT_NODES,
        depth: null,
      },
      () => {},
    );
    return answer && evaluationOf(answer);
  }

  /** Adds the results to the tree: marks on the mistakes, and better lines as variations. */
  annotate(tree: Tree): void {
    const maxTurns = 6;
    const line = tree.mainLine;
    for (const { index, verdict, before } of this.judged) {
      const node = line[index];
      if (verdict === null || !node?.parent || !before.best) continue;
      if (!node.nags.includes(nagOf[verdict])) tree.toggleNag(node, nagOf[verdict]);
      tree.addLine(
        node.parent,
        before.best.pv.slice(0, maxTurns).map(({ text }) => text),
      );
    }
  }
}
