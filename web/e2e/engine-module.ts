import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';
import { setCores } from './cores';

interface Handle {
  setNetwork(variant: string, bytes: Uint8Array): void;
  bench(variant: string): number;
  free(): void;
}

interface Module {
  default(options: { module_or_path: string }): Promise<unknown>;
  EngineHandle: new (mebibytes: number) => Handle;
}

/** The two builds of the engine's module. */
export const builds = ['with shared memory', 'without shared memory'] as const;
export type Build = (typeof builds)[number];

/**
 * Returns the path of the network that the page fetches; the one for chess is smaller than the
 * native engine's.
 */
export const networkOf = (variant: string): string =>
  fileURLToPath(
    new URL(
      `../../crates/engine/networks/${variant === 'chess' ? 'browser/' : ''}${variant}.network`,
      import.meta.url,
    ),
  );

/**
 * Opens the analysis page and returns the files that it fetches to run the given build of the
 * engine.
 */
export async function engineFiles(
  page: Page,
  variant: string,
  build: Build,
): Promise<ReadonlyMap<'js' | 'wasm' | 'network', string>> {
  // The page uses shared memory if more than one thread is requested and the browser supports it.
  await page.addInitScript(
    (threads) => localStorage.setItem('adoube.analysis.threads', threads),
    build === 'without shared memory' ? '1' : '2',
  );
  await setCores(page, 2);
  const files = new Map<'js' | 'wasm' | 'network', string>();
  // Includes the requests made by the worker.
  page.context().on('request', (request) => {
    const path = new URL(request.url()).pathname;
    const [, name] = /\/(adoube_wasm_analysis.*\.(?:js|wasm)|\w+-.*\.network)$/.exec(path) ?? [];
    if (name === undefined) return;
    const kind = name.endsWith('.js') ? 'js' : name.endsWith('.wasm') ? 'wasm' : 'network';
    if (!(kind === 'js' && name.includes('_bg'))) files.set(kind, path);
  });
  await page.goto(`/analysis/${variant}`);
  await page.getByRole('switch', { name: 'Calculer' }).check();
  await expect(page.locator('[data-line="1"]')).toBeVisible();
  await page.getByRole('switch', { name: 'Calculer' }).uncheck();
  return files;
}

/**
 * Runs the searches of `adoube bench` in the page; returns the number of nodes and the elapsed
 * time.
 */
export async function benchInPage(
  page: Page,
  variant: string,
  files: ReadonlyMap<'js' | 'wasm' | 'network', string>,
): Promise<{ nodes: number; seconds: number }> {
  return page.evaluate(
    async ([name, js, wasm, network]) => {
      const module = (await import(/* @vite-ignore */ js)) as Module;
      await module.default({ module_or_path: wasm });
      const engine = new module.EngineHandle(16);
      if (network)
        engine.setNetwork(name, new Uint8Array(await (await fetch(network)).arrayBuffer()));
      const started = performance.now();
      const nodes = engine.bench(name);
      const seconds = (performance.now() - started) / 1000;
      engine.free();
      return { nodes, seconds };
    },
    [variant, files.get('js') ?? '', files.get('wasm') ?? '', files.get('network') ?? ''] as const,
  );
}
