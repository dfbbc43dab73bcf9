/** Runs the engine in a worker, so that the page stays responsive during a search. */
import type { AnswerView, InfoView } from '../analysis-types';
import type { Refusal } from '../refusal';
import type { EngineHandle } from '../wasm/adoube_wasm_analysis';
import { loadEngineModule } from './engine-module';
import type { FromWorker, ToWorker } from './messages';

/** Size of the transposition table. */
const MEBIBYTES = 32;

let stop: Int32Array | null = null;
let wantsToShare = false;
let engine: Promise<EngineHandle> | undefined;
const networks = new Map<string, Promise<void>>();
let queue = Promise.resolve();

function post(message: FromWorker): void {
  postMessage(message);
}

async function load(): Promise<EngineHandle> {
  const { module, shared } = await loadEngineModule(wantsToShare);
  if (shared !== null) post({ type: 'shared', shared });
  return new module.EngineHandle(MEBIBYTES);
}

async function loadNetwork(handle: EngineHandle, variant: string, url: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  handle.setNetwork(variant, new Uint8Array(await response.arrayBuffer()));
}

function isStopped(id: number): boolean {
  return stop !== null && Atomics.load(stop, 0) >= id;
}

async function search(message: ToWorker & { type: 'search' }): Promise<void> {
  const { id, request, network } = message;
  if (isStopped(id)) {
    post({ type: 'done', id, answer: { best: null, points: null, values: {} } });
    return;
  }
  engine ??= load();
  const handle = await engine;
  if (network !== null) {
    const loading = networks.get(request.variant) ?? loadNetwork(handle, request.variant, network);
    networks.set(request.variant, loading);
    await loading;
  }
  const started = performance.now();
  const listener = {
    stop: () => isStopped(id),
    elapsed: () => performance.now() - started,
    report: (info: string) => post({ type: 'info', id, info: JSON.parse(info) as InfoView }),
  };
  const answer = handle.search(JSON.stringify(request), listener);
  post({ type: 'done', id, answer: JSON.parse(answer) as AnswerView });
}

function refusalOf(error: unknown): Refusal {
  const unknown: Refusal = { code: 'engine-load', args: {} };
  if (typeof error !== 'string') return unknown;
  try {
    // The module throws refusals as JSON text.
    return (JSON.parse(error) as Refusal[])[0] ?? unknown;
  } catch {
    return unknown;
  }
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'start') {
    stop = data.stop === null ? null : new Int32Array(data.stop);
    wantsToShare = data.wantsToShare;
    return;
  }
  queue = queue.then(() =>
    search(data).catch((error: unknown) => {
      networks.delete(data.request.variant);
      // A refusal is thrown as text. After any other error the worker may be unusable, so the
      // client starts another one.
      const isBroken = typeof error !== 'string';
      post({ type: 'failed', id: data.id, refusal: refusalOf(error), isBroken });
    }),
  );
});
