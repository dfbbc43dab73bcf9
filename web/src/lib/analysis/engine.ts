import type { AnswerView, InfoView, SearchRequest } from '../analysis-types';
import { RefusalError } from '../refusal';
import type { Variant } from '../variants';
import type { FromWorker, ToWorker } from './messages';
import { networkUrl } from './networks';

/** The part of `Worker` that is used here, so that tests can stand in for it. */
export interface WorkerLike {
  onmessage: ((event: { data: FromWorker }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  postMessage(message: ToWorker): void;
  terminate(): void;
}

function spawnWorker(): WorkerLike {
  return new Worker(new URL('./engine.worker.ts', import.meta.url), {
    type: 'module',
  }) as WorkerLike;
}

/** Memory that both threads see, where the page was served so that browsers allow it. */
function shareMemory(): SharedArrayBuffer | null {
  return globalThis.crossOriginIsolated === true ? new SharedArrayBuffer(4) : null;
}

interface Search {
  readonly id: number;
  readonly oninfo: (info: InfoView) => void;
  readonly done: (answer: AnswerView | null) => void;
  readonly failed: (error: RefusalError) => void;
}

/**
 * An engine in a worker. It searches one position at a time: who asks for another one ends the search before.
 *
 * A search is ended by a word of shared memory that it looks at; where memory cannot be shared, by ending the worker,
 * which costs what it remembers.
 */
export class EngineClient {
  readonly #spawn: () => WorkerLike;
  readonly #share: () => SharedArrayBuffer | null;
  #worker: WorkerLike | null = null;
  #stop: Int32Array | null = null;
  #last = 0;
  #search: Search | null = null;

  constructor(spawn = spawnWorker, share = shareMemory) {
    this.#spawn = spawn;
    this.#share = share;
  }

  /** Searches until a limit of the request is reached; the answer is null when it was ended before. */
  search(
    request: SearchRequest & { variant: Variant },
    oninfo: (info: InfoView) => void,
  ): Promise<AnswerView | null> {
    this.stop();
    const worker = (this.#worker ??= this.#start());
    this.#last += 1;
    const id = this.#last;
    return new Promise((done, failed) => {
      this.#search = { id, oninfo, done, failed };
      worker.postMessage({ type: 'search', id, request, network: networkUrl(request.variant) });
    });
  }

  /** Ends the search under way, if there is one. */
  stop(): void {
    const search = this.#search;
    if (search === null) return;
    this.#search = null;
    if (this.#stop === null) this.#end();
    else Atomics.store(this.#stop, 0, search.id);
    search.done(null);
  }

  /** Gives the thread and its memory back; a later search starts another one. */
  close(): void {
    this.stop();
    this.#end();
  }

  #end(): void {
    this.#worker?.terminate();
    this.#worker = null;
  }

  #start(): WorkerLike {
    const worker = this.#spawn();
    const shared = this.#share();
    this.#stop = shared === null ? null : new Int32Array(shared);
    worker.onmessage = ({ data }) => this.#hear(data);
    worker.onerror = () => this.#fail(new RefusalError({ code: 'engine-load', args: {} }));
    worker.postMessage({ type: 'start', stop: shared });
    return worker;
  }

  #hear(message: FromWorker): void {
    // What an ended search still has to say is nobody's business any more.
    if (message.id !== this.#search?.id) return;
    if (message.type === 'info') {
      this.#search.oninfo(message.info);
      return;
    }
    const { done, failed } = this.#search;
    this.#search = null;
    if (message.type === 'done') done(message.answer);
    else failed(new RefusalError(message.refusal));
  }

  #fail(error: RefusalError): void {
    const search = this.#search;
    this.#search = null;
    this.#end();
    search?.failed(error);
  }
}
