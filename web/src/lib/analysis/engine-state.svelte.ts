import { untrack } from 'svelte';
import type { InfoView } from '../analysis-types';
import { Persisted, persistedSwitch } from '../persisted.svelte';
import { refusalOf, type Refusal } from '../refusal';
import type { Position } from '../rules';
import type { Variant } from '../variants';
import { EngineClient } from './engine';
import { withLine } from './lines';
import type { Records } from './module';
import { threads } from './threads.svelte';

/** A request to analyse the position on the board. */
export interface AnalysisRequest {
  readonly variant: Variant;
  /** The position that the line starts from. */
  readonly fen: string;
  /** The turns played since then. */
  readonly turns: readonly string[];
  readonly position: Position;
}

/** Search options. */
interface SearchOptions {
  readonly lines: number;
  readonly threads: number;
  /** Whether to search for the threat, that is, as if it were the other side's turn. */
  readonly threat: boolean;
}

/** A request to the engine, `rest` to stop it, or `wait` if the next request is not known yet. */
export type EngineRequest = AnalysisRequest | 'rest' | 'wait';

/**
 * Delay in milliseconds before a search starts, so that stepping quickly through a game does not
 * start a search at every position.
 */
const SEARCH_DELAY_MS = 60;

/** Maximum number of nodes that a search examines, so that a page left open stops computing. */
const MAX_NODES = 30_000_000;
const MAX_LINES = 5;

/** State of the engine panel: options, current request and lines found. */
export class EngineState {
  readonly on = persistedSwitch('analysis.engine', false);
  readonly lines = new Persisted<number>(
    'analysis.lines',
    (text) => Math.min(MAX_LINES, Math.max(1, Math.round(Number(text ?? 1)) || 1)),
    String,
  );
  readonly threads = threads;
  /** Whether to search for the threat, that is, as if it were the other side's turn. */
  threat = $state(false);
  /** The lines found, best first. */
  infos: readonly InfoView[] = $state.raw([]);
  /** Reasons why the threat cannot be shown or the search failed. */
  refusals: readonly Refusal[] = $state.raw([]);
  isSearching = $state(false);
  /** The position that the lines belong to. */
  about: Position | null = $state.raw(null);
  /**
   * The FEN that the lines start from. For a threat, it is the position with the other side to
   * move.
   */
  searchedFen: string | null = $state.raw(null);
  /** Whether the lines show the threat. */
  #showsThreat = $state(false);
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

  /**
   * Whether the lines belong to this position, and show the threat if and only if `threat` is set.
   * For a moment after either changes, they do not.
   */
  isAbout(position: Position): boolean {
    return this.about === position && this.#showsThreat === this.threat;
  }

  /**
   * Analyses the requested position while the engine is on. Must be called while a component is
   * being initialised. Starts no more searches once the component is destroyed; the last one
   * continues until `client` is closed.
   */
  follow(nextRequest: () => EngineRequest): void {
    $effect(() => {
      const request = this.on.current ? nextRequest() : 'rest';
      const options: SearchOptions = {
        lines: this.lines.current,
        threads: this.threads.current,
        threat: this.threat,
      };
      if (request === 'rest') untrack(() => this.rest());
      if (typeof request === 'string') return;
      const timer = setTimeout(() => void this.#search(request, options), SEARCH_DELAY_MS);
      return () => clearTimeout(timer);
    });
  }

  /**
   * Searches the position, or looks for the threat in it, until a limit is reached or another
   * request arrives.
   */
  async #search(
    { variant, fen, turns, position }: AnalysisRequest,
    options: SearchOptions,
  ): Promise<void> {
    this.infos = [];
    this.refusals = [];
    this.about = position;
    this.searchedFen = position.view.fen;
    this.#showsThreat = options.threat;
    this.client.stop();
    this.isSearching = false;
    if (position.view.steps.length === 0) return;
    let line = { fen, turns: [...turns] };
    if (options.threat) {
      try {
        line = { fen: this.#records.afterPassing(variant, position.view.fen), turns: [] };
        this.searchedFen = line.fen;
      } catch (error) {
        this.refusals = [refusalOf(error)];
        return;
      }
    }
    const request = {
      variant,
      ...line,
      lines: options.threat ? 1 : options.lines,
      threads: options.threads,
      nodes: MAX_NODES,
      depth: null,
    };
    this.isSearching = true;
    try {
      const answer = await this.client.search(request, (info) => this.#receive(info));
      // The answer is null if this search was stopped; another one may have started.
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
    this.searchedFen = null;
  }

  #receive(info: InfoView): void {
    // An inexact score is shown only if the line has no score yet.
    if (info.bound !== null && this.infos[info.line - 1]) return;
    this.infos = withLine(this.infos, info);
  }
}
