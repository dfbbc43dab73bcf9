import type { AnswerView } from '../analysis-types';
import { refusalOf, type Refusal } from '../refusal';
import { EngineClient } from './engine';
import { judge, nagOf, REPORT_NODES, type Evaluation, type Judged } from './report';
import type { Tree } from './tree.svelte';

/** With more of them, the same game would not get the same report twice. */
const THREADS = 1;

/** The evaluation of a position by a search that was not stopped. */
function evaluationOf({ best, points }: AnswerView): Evaluation {
  return { expected: points ?? best?.expected ?? 0.5, best: points === null ? best : null };
}

/** The report on the main line of a tree: made position by position, until it is done or called off. */
export class ReportState {
  /** How many positions have been looked at, and of how many; null when none is being made. */
  progress = $state.raw<{ done: number; all: number } | null>(null);
  judged: readonly Judged[] = $state.raw([]);
  evaluations: readonly Evaluation[] = $state.raw([]);
  refusal: Refusal | null = $state.raw(null);
  /** The turns that it is about. */
  #about: string | null = $state(null);
  /** Tells a report under way from one that was begun after it. */
  #run = 0;
  readonly client: EngineClient;

  constructor(client = new EngineClient()) {
    this.client = client;
  }

  static #lineOf(tree: Tree): string {
    const turns = tree.mainLine.map(({ turn }) => turn?.text ?? '');
    return [tree.initial.view.fen, ...turns].join(' ');
  }

  /** Whether there is a report, and it is on the line that the tree has now. */
  isOf(tree: Tree): boolean {
    return this.#about !== null && this.#about === ReportState.#lineOf(tree);
  }

  async make(tree: Tree): Promise<void> {
    this.#run += 1;
    const run = this.#run;
    const turns = tree.mainLine.flatMap(({ turn }) => (turn === null ? [] : [turn]));
    const texts = turns.map(({ text }) => text);
    const evaluations: Evaluation[] = [];
    this.judged = [];
    this.evaluations = [];
    this.refusal = null;
    this.#about = null;
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
      this.#about = [tree.initial.view.fen, ...texts].join(' ');
    } catch (error) {
      this.refusal = refusalOf(error);
    } finally {
      if (run === this.#run) this.progress = null;
    }
  }

  cancel(): void {
    this.#run += 1;
    this.client.stop();
    this.progress = null;
  }

  /** The points that White may expect after a turn more. */
  async lookAt(tree: Tree, turns: readonly string[]): Promise<Evaluation | null> {
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

  /** Writes what was found into the tree: marks, and the better lines as variations. */
  annotate(tree: Tree): void {
    const mostTurns = 6;
    const line = tree.mainLine;
    for (const { index, verdict, before } of this.judged) {
      const node = line[index];
      if (verdict === null || !node?.parent || !before.best) continue;
      if (!node.nags.includes(nagOf[verdict])) tree.toggleNag(node, nagOf[verdict]);
      tree.addLine(
        node.parent,
        before.best.pv.slice(0, mostTurns).map(({ text }) => text),
      );
    }
  }
}
