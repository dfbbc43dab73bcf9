import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';

/** An optimised `adoube`, with whose `bench` the engine of the browser is compared. Without one nothing is measured. */
const native = process.env['ADOUBE_NATIVE'];
const rounds = 5;

interface Handle {
  setNetwork(variant: string, bytes: Uint8Array): void;
  bench(variant: string): number;
  free(): void;
}

interface Module {
  default(options: { module_or_path: string }): Promise<unknown>;
  EngineHandle: new (mebibytes: number) => Handle;
}

const middle = (values: number[]): number => values.sort((a, b) => a - b)[rounds >> 1] ?? 0;

for (const variant of ['chess', 'baroque', 'interweave'])
  test(`${variant}: the same nodes in the browser, and at least half as fast`, async ({ page }) => {
    test.skip(native === undefined, 'ADOUBE_NATIVE names no optimised binary');
    test.setTimeout(300_000);
    const files = new Map<string, string>();
    // Also those that the worker asks for.
    page.context().on('request', (request) => {
      const path = new URL(request.url()).pathname;
      const [, name] = /\/(adoube_wasm_analysis.*\.(?:js|wasm)|\w+-.*\.network)$/.exec(path) ?? [];
      if (name === undefined) return;
      const kind = name.endsWith('.js') ? 'js' : name.endsWith('.wasm') ? 'wasm' : 'network';
      if (!(kind === 'js' && name.includes('_bg'))) files.set(kind, path);
    });
    await page.goto(`/analysis/${variant}`);
    await page.getByRole('switch', { name: 'Calculer' }).check();
    await expect(page.locator('[data-line="1"]')).toBeVisible({ timeout: 30_000 });
    await page.getByRole('switch', { name: 'Calculer' }).uncheck();
    const browser: number[] = [];
    const here: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const measured = await page.evaluate(
        async ([name, js, wasm, network]) => {
          const module = (await import(/* @vite-ignore */ js ?? '')) as Module;
          await module.default({ module_or_path: wasm ?? '' });
          const engine = new module.EngineHandle(16);
          if (network)
            engine.setNetwork(
              name ?? '',
              new Uint8Array(await (await fetch(network)).arrayBuffer()),
            );
          const begun = performance.now();
          const nodes = engine.bench(name ?? '');
          const seconds = (performance.now() - begun) / 1000;
          engine.free();
          return { nodes, seconds };
        },
        [variant, files.get('js'), files.get('wasm'), files.get('network') ?? ''] as const,
      );
      const { stdout, stderr } = spawnSync(native ?? '', ['bench', '--variant', variant], {
        encoding: 'utf8',
      });
      expect(stdout).toContain(`${variant} ${measured.nodes}\n`);
      browser.push(measured.nodes / measured.seconds);
      here.push(Number(/(\d+) nodes\/s/.exec(stderr)?.[1]));
    }
    const [inBrowser, natively] = [middle(browser), middle(here)];
    console.info(
      `${variant}: ${inBrowser.toFixed(0)} nodes/s in the browser, ${natively} natively: ${(inBrowser / natively).toFixed(2)}`,
    );
    expect(inBrowser / natively).toBeGreaterThan(0.5);
  });
