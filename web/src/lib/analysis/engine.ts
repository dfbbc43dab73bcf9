import type { AnswerView, InfoView, SearchRequest } from '../analysis-types';
import { fetchFailure } from '../fetch-failure';
import { RefusalError } from '../refusal';
import type { Variant } from '../variants';
import type { SharedEngine } from './engine-module';
import type { FromHelper, FromWorker, ToWorker } from './messages';
import { networkUrl } from './networks';
import { threads } from './threads.svelte';

/** The part of `Worker` used here. Tests replace it. */
export interface WorkerLike<To, From> {
  onmessage: ((event: { data: From }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  postMessage(message: To): void;
  terminate(): void;
}

export type EngineWorker = WorkerLike<ToWorker, FromWorker>;
export type HelperWorker = WorkerLike<SharedEngine, FromHelper>;

/** Starts a client's workers. */
export interface WorkerSpawner {
  engine(): EngineWorker;
  helper(): HelperWorker;
}

const spawnWorkers: WorkerSpawner = {
  engine: () =>
    new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module' }) as EngineWorker,
  helper: () =>
    new Worker(new URL('./helper.worker.ts', import.meta.url), { type: 'module' }) as HelperWorker,
};

/**
 * Allocates memory shared by the page and the worker if the page is cross-origin isolated;
 * otherwise returns null.
 */
function shareMemory(): SharedArrayBuffer | null {
  return globalThis.crossOriginIsolated === true ? new SharedArrayBuffer(4) : null;
}

type Request = SearchRequest & { variant: Variant };

interface Search {
  readonly id: number;
  readonly request: Request;
  readonly oninfo: (info: InfoView) => void;
  readonly done: (answer: AnswerView | null) => void;
  readonly failed: (error: RefusalError) => void;
}

/**
 * An engine that runs in a worker. It searches one position at a time; a new request stops the
 * previous search.
 *
 * The worker polls a word of shared memory to learn when to stop. Without shared memory, the worker
 * is terminated instead, which loses its transposition table.
 *
 * Searches with more than one thread use helper workers. The helpers start after the engine has
 * allocated its memory, so that the first search need not wait for them, and then keep running;
 * unused ones sleep.
 * An engine started for one thread uses unshared memory, which is faster; the first search that
 * needs helpers replaces it.
 */
export class EngineClient {
  readonly #spawn: WorkerSpawner;
  readonly #share: () => SharedArrayBuffer | null;
  /**
   * The number of threads the visitor prefers: if it is above one, even a search with one thread
   * uses shared memory.
   */
  readonly #preferredThreads: () => number;
  #worker: EngineWorker | null = null;
  /** Whether the worker was started with shared memory for helpers. */
  #wantsToShare = false;
  #helpers: HelperWorker[] = [];
  /** The engine's memory, once it is allocated. */
  #shared: SharedEngine | null = null;
  #maxHelpers = Infinity;
  #stop: Int32Array | null = null;
  #last = 0;
  #search: Search | null = null;

  constructor(spawn = spawnWorkers, share = shareMemory, preferredThreads = () => threads.current) {
    this.#spawn = spawn;
    this.#share = share;
    this.#preferredThreads = preferredThreads;
  }

  /**
   * Searches until one of the request's limits is reached; resolves to null if the search was
   * stopped before that.
   */
  search(request: Request, oninfo: (info: InfoView) => void): Promise<AnswerView | null> {
    this.stop();
    this.#last += 1;
    const id = this.#last;
    return new Promise((done, failed) => {
      this.#begin({ id, request, oninfo, done, failed });
    });
  }

  /** Stops the current search, if any. */
  stop(): void {
    const search = this.#search;
    if (search === null) return;
    this.#search = null;
    if (this.#stop === null) this.#end();
    else Atomics.store(this.#stop, 0, search.id);
    search.done(null);
  }

  /** Terminates the workers and frees their memory. A later search starts new ones. */
  close(): void {
    this.stop();
    this.#end();
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const helper of this.#helpers) helper.terminate();
    this.#helpers = [];
    this.#shared = null;
  }

  #begin(search: Search): void {
    const { id, request } = search;
    if (request.threads > 1 && !this.#wantsToShare) this.#end();
    const worker = (this.#worker ??= this.#start(
      Math.max(request.threads, this.#preferredThreads()) > 1,
    ));
    this.#search = search;
    worker.postMessage({ type: 'search', id, request, network: networkUrl(request.variant) });
    this.#startHelpers();
  }

  #start(wantsToShare: boolean): EngineWorker {
    this.#wantsToShare = wantsToShare;
    const worker = this.#spawn.engine();
    const shared = this.#share();
    this.#stop = shared === null ? null : new Int32Array(shared);
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = () => this.#fail(new RefusalError({ code: 'engine-load', args: {} }));
    worker.postMessage({ type: 'start', stop: shared, wantsToShare });
    return worker;
  }

  /** Starts the helpers that the search needs and that are not running yet. */
  #startHelpers(): void {
    if (this.#shared === null || this.#search === null) return;
    const helperCount = Math.min(this.#search.request.threads - 1, this.#maxHelpers);
    while (this.#helpers.length < helperCount) {
      const helper = this.#spawn.helper();
      this.#helpers.push(helper);
      helper.onmessage = ({ data }) => this.#dropHelper(helper, data.isSearching);
      helper.onerror = () => this.#dropHelper(helper, false);
      helper.postMessage(this.#shared);
    }
  }

  /**
   * Handles a failed helper. If it failed to start, there is one thread fewer; if it failed during
   * a search, the shared memory is invalid, so the engine is restarted without helpers.
   */
  #dropHelper(helper: HelperWorker, isSearching: boolean): void {
    helper.terminate();
    this.#helpers = this.#helpers.filter((other) => other !== helper);
    if (!isSearching) {
      this.#maxHelpers = this.#helpers.length;
      return;
    }
    this.#maxHelpers = 0;
    const search = this.#search;
    this.#end();
    if (search !== null) this.#begin(search);
  }

  #receive(message: FromWorker): void {
    if (message.type === 'shared') {
      this.#shared = message.shared;
      this.#startHelpers();
      return;
    }
    // Ignore messages from searches that were stopped.
    if (message.id !== this.#search?.id) return;
    if (message.type === 'info') {
      this.#search.oninfo(message.info);
      return;
    }
    if (message.type === 'failed') {
      this.#fail(new RefusalError(message.refusal), message.isBroken);
      return;
    }
    const { done } = this.#search;
    this.#search = null;
    done(message.answer);
  }

  #fail(error: RefusalError, isBroken = true): void {
    const search = this.#search;
    this.#search = null;
    if (isBroken) this.#end();
    if (search !== null) void reject(search, error);
  }
}

/**
 * Rejects a search. If the engine failed to load because the page is outdated, the error says so.
 */
async function reject({ failed }: Search, error: RefusalError): Promise<void> {
  if (error.refusal.code !== 'engine-load') return failed(error);
  const reason = await fetchFailure();
  failed(reason.code === 'page-outdated' ? new RefusalError(reason) : error);
}
