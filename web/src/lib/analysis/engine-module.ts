/**
 * Loads the WebAssembly module with the engine, the PGN reader and position setups. It has two
 * builds: one with memory shared by several threads, and one without, for a single thread and for
 * pages that cannot share memory. Only the one in use is fetched.
 */
import type * as plain from '../wasm/adoube_wasm_analysis';

type Module = typeof plain;

/** Module and memory that a worker needs to become an engine thread. */
export interface SharedEngine {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
}

interface SharedModule extends Omit<Module, 'default'> {
  default(
    options: Partial<Pick<SharedEngine, 'memory'>> & {
      module_or_path: WebAssembly.Module;
      /** In bytes. Not used by the first thread, whose stack is part of the module. */
      thread_stack_size?: number;
    },
  ): Promise<Pick<SharedEngine, 'memory'>>;
  help(): void;
}

/**
 * Stack size of a helper thread, the same as the first thread's: see `STACK` in
 * `xtask/src/wasm.rs`.
 */
const STACK_BYTES = 4 << 20;

/** Maximum number of threads for a search: see `MAX_THREADS` in `crates/wasm-analysis`. */
const MAX_THREADS = 8;

// The multi-threaded build may be missing: it requires the sources of Rust's standard library.
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

/**
 * Whether threads can share memory: the multi-threaded build exists, and the page is cross-origin
 * isolated.
 */
const canShare =
  importShared !== undefined && sharedUrl !== undefined && globalThis.crossOriginIsolated === true;

/** Maximum number of threads for a search in this browser. */
export const maxThreads = canShare
  ? Math.min(MAX_THREADS, Math.max(1, navigator.hardwareConcurrency || 1))
  : 1;

/** Default number of threads. One core is left for the page and for other programs. */
export const defaultThreads = Math.min(4, Math.max(1, maxThreads - 1));

async function loadShared(): Promise<{ module: SharedModule; shared: SharedEngine }> {
  if (importShared === undefined || sharedUrl === undefined)
    throw new Error('the multi-threaded build is missing');
  const [module, compiled] = await Promise.all([
    importShared(),
    WebAssembly.compileStreaming(fetch(sharedUrl)),
  ]);
  const { memory } = await module.default({ module_or_path: compiled });
  return { module, shared: { module: compiled, memory } };
}

/**
 * Fetches the module and allocates its memory. `shared` is null if the memory is not shared.
 *
 * For a single thread `wantsToShare` should be false, because stores to shared memory are slower.
 */
export async function loadEngineModule(wantsToShare: boolean): Promise<{
  module: Omit<Module, 'default'>;
  shared: SharedEngine | null;
}> {
  if (wantsToShare && canShare) {
    try {
      return await loadShared();
    } catch {
      // Allocating shared memory reserves its maximum size, which may fail. The other build
      // allocates only what it needs.
    }
  }
  const [module, address] = await Promise.all([
    import('../wasm/adoube_wasm_analysis'),
    import('../wasm/adoube_wasm_analysis_bg.wasm?url'),
  ]);
  await module.default({ module_or_path: address.default });
  return { module, shared: null };
}

/**
 * Makes this worker an engine thread. The returned function runs the thread's search loop and never
 * returns.
 */
export async function joinAsHelper({ module, memory }: SharedEngine): Promise<() => void> {
  if (importShared === undefined) throw new Error('the multi-threaded build is missing');
  const helperModule = await importShared();
  await helperModule.default({ module_or_path: module, memory, thread_stack_size: STACK_BYTES });
  return () => helperModule.help();
}
