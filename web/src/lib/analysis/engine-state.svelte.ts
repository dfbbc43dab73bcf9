import { untrack } from 'svelte';
import type { InfoView } from '../analysis-types';
import { Kept, keptSwitch } from '../kept.svelte';
import { refusalOf, type Refusal } from '../refusal';
import type { Position } from '../rules';
import type { Variant } from '../variants';
import { EngineClient } from './engine';
import { withLine } from './lines';
import type { Records } from './module';
import { threads } from './threads.svelte';

/** A request to the engine about the position on the board. */
export interface Asked {
  readonly variant: Variant;
  /** Where the line began, and the turns since then. */
  readonly fen: string;
  readonly turns: readonly string[];
  readonly position: Position;
}

/** How it is asked. */
interface Manner {
  readonly lines: number;
  readonly threads: number;
  /** Whether it is asked what the other side would do if it were its turn. */
  readonly threat: boolean;
}

/** A request to the engine, or `rest` to ask nothing, or `wait` until there is something to compare. */
export type Wish = Asked | 'rest' | 'wait';

/** The delay before the engine is asked, so that quick steps through a game ask nothing, in milliseconds. */
const REST_MS = 60;

/** The largest number of nodes of a search: a page that is left open must not compute for ever. */
const NODES = 30_000_000;
const MOST_LINES = 5;

/** The engine beside the board: the request and the lines found. */
export class EngineState {
  readonly on = keptSwitch('analysis.engine', false);
  readonly lines = new Kept<number>(
    'analysis.lines',
    (text) => Math.min(MOST_LINES, Math.max(1, Math.round(Number(text ?? 1)) || 1)),
    String,
  );
  readonly threads = threads;
  /** Whether it is asked what the other side would do if it were its turn. */
  threat = $state(false);
  /** The lines found, the best one first. */
  infos: readonly InfoView[] = $state.raw([]);
  /** Why the threat cannot be shown, or why nothing was found. */
  refusals: readonly Refusal[] = $state.raw([]);
  isSearching = $state(false);
  /** The position that the lines belong to. */
  about: Position | null = $state.raw(null);
  /** The FEN from which the lines begin: that of the position, or with the other side to move. */
  asked: string | null = $state.raw(null);
  readonly client: EngineClient;
  readonly #records: Records;

  constructor(records: Records, client = new EngineClient()) {
    this.#records = records;
    this.client = client;
  }

  get best(): InfoView | null {
    return this.infos[0] ?? null;
  }

  get isThreat(): boolean {
    return this.threat && this.on.current;
  }

  /** Looks at what the board shows while it is on. To be called while a component is made, with which it ends. */
  follow(wish: () => Wish): void {
    $effect(() => {
      const wanted = this.on.current ? wish() : 'rest';
      const manner: Manner = {
        lines: this.lines.current,
        threads: this.threads.current,
        threat: this.threat,
      };
      if (wanted === 'rest') untrack(() => this.rest());
      if (typeof wanted === 'string') return;
      const waiting = setTimeout(() => void this.#ask(wanted, manner), REST_MS);
      return () => clearTimeout(waiting);
    });
  }

  /** Searches the position, or its threat, until another one is asked about. */
  async #ask({ variant, fen, turns, position }: Asked, manner: Manner): Promise<void> {
    this.infos = [];
    this.refusals = [];
    this.about = position;
    this.asked = position.view.fen;
    this.client.stop();
    this.isSearching = false;
    if (position.view.steps.length === 0) return;
    let line = { fen, turns: [...turns] };
    if (manner.threat) {
      try {
        line = { fen: this.#records.passed(variant, position.view.fen), turns: [] };
        this.asked = line.fen;
      } catch (error) {
        this.refusals = [refusalOf(error)];
        return;
      }
    }
    const request = {
      variant,
      ...line,
      lines: manner.threat ? 1 : manner.lines,
      threads: manner.threads,
      nodes: NODES,
      depth: null,
    };
    this.isSearching = true;
    try {
      const answer = await this.client.search(request, (info) => this.#hear(info));
      // Another one is under way otherwise.
      if (answer !== null) this.isSearching = false;
    } catch (error) {
      this.isSearching = false;
      this.refusals = [refusalOf(error)];
    }
  }

  rest(): void {
    this.client.stop();
    this.isSearching = false;
    this.infos = [];
    this.refusals = [];
    this.about = null;
    this.asked = null;
  }

  #hear(info: InfoView): void {
    // A score that is not settled says little; the next one is.
    if (info.bound !== null && this.infos[info.line - 1]) return;
    this.infos = withLine(this.infos, info);
  }
}
