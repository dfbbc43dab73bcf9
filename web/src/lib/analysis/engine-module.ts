/**
 * The module of the engine, of PGN and of setups, of which there are two builds: one whose memory several threads share, and one
 * for where that is not allowed. Only the one that is used is fetched.
 */
import type * as plain from '../wasm/adoube_wasm_analysis';

type Module = typeof plain;

/** The module and the memory, with which a worker becomes a thread of the engine. */
export interface Shared {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
}

interface SharedModule extends Omit<Module, 'default'> {
  default(
    options: Partial<Pick<Shared, 'memory'>> & {
      module_or_path: WebAssembly.Module;
      /** In bytes; not for the first thread, whose stack is part of the module. */
      thread_stack_size?: number;
    },
  ): Promise<Pick<Shared, 'memory'>>;
  help(): void;
}

/** As much as the first thread has: see `STACK` in `xtask/src/wasm.rs`. */
const STACK = 4 << 20;

/** As many as a search takes: see `MOST_THREADS` in `crates/wasm-analysis`. */
const MOST_THREADS = 8;

// There may be none: it is left out where the sources of Rust's standard library cannot be had.
const [importShared] = Object.values(
  import.meta.glob<SharedModule>('../wasm/adoube_wasm_analysis_threads.js'),
);
const [sharedUrl] = Object.values(
  import.meta.glob<string>('../wasm/adoube_wasm_analysis_threads_bg.wasm', {
    eager: true,
    query: '?url',
    import: 'default',
  }),
);

/** Whether threads can share memory: there must be the module for it, and a page served so that browsers allow it. */
const canShare =
  importShared !== undefined && sharedUrl !== undefined && globalThis.crossOriginIsolated === true;

/** How many threads a search can have here. */
export const mostThreads = canShare
  ? Math.min(MOST_THREADS, Math.max(1, navigator.hardwareConcurrency || 1))
  : 1;

/** How many it has unless the visitor says otherwise: one core is left to the page, and to whatever else the machine does. */
export const usualThreads = Math.min(4, Math.max(1, mostThreads - 1));

async function loadShared(): Promise<{ module: SharedModule; shared: Shared }> {
  if (importShared === undefined || sharedUrl === undefined) throw new Error('no such module');
  const [module, compiled] = await Promise.all([
    importShared(),
    WebAssembly.compileStreaming(fetch(sharedUrl)),
  ]);
  const { memory } = await module.default({ module_or_path: compiled });
  return { module, shared: { module: compiled, memory } };
}

/**
 * Fetches the module and makes its memory; `shared` is null where only one thread can use it.
 *
 * A single thread should not ask to share: every store to shared memory costs more.
 */
export async function loadEngineModule(wantsToShare: boolean): Promise<{
  module: Omit<Module, 'default'>;
  shared: Shared | null;
}> {
  if (wantsToShare && canShare) {
    try {
      return await loadShared();
    } catch {
      // Not enough memory in one piece, for instance: the other build asks for as much as it needs only.
    }
  }
  const [module, address] = await Promise.all([
    import('../wasm/adoube_wasm_analysis'),
    import('../wasm/adoube_wasm_analysis_bg.wasm?url'),
  ]);
  await module.default({ module_or_path: address.default });
  return { module, shared: null };
}

/** Makes this worker a thread of that memory; what is returned helps with searches and never comes back. */
export async function enter({ module, memory }: Shared): Promise<() => void> {
  if (importShared === undefined) throw new Error('no such module');
  const entered = await importShared();
  await entered.default({ module_or_path: module, memory, thread_stack_size: STACK });
  return () => entered.help();
}
