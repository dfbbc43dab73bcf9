import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { withCores } from './cores';
import { type } from './table';

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

const middle = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** The file of the network that the page fetches: a smaller one of chess than the native engine has. */
const networkOf = (variant: string): string =>
  fileURLToPath(
    new URL(
      `../../crates/engine/networks/${variant === 'chess' ? 'browser/' : ''}${variant}.network`,
      import.meta.url,
    ),
  );

const variants = ['chess', 'baroque', 'interweave'];
const builds = ['with shared memory', 'without'] as const;

for (const [variant, build] of variants.flatMap((each) =>
  builds.map((one) => [each, one] as const),
))
  test(`${variant} ${build}: the same nodes in the browser, and at least half as fast`, async ({
    page,
  }) => {
    test.skip(native === undefined, 'ADOUBE_NATIVE names no optimised binary');
    test.setTimeout(300_000);
    // Memory is shared where more than one thread is wanted, and can be.
    await page.addInitScript(
      (threads) => localStorage.setItem('adoube.analysis.threads', threads),
      build === 'without' ? '1' : '2',
    );
    await withCores(page, 2);
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
    await expect(page.locator('[data-line="1"]')).toBeVisible();
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
      const { stdout, stderr } = spawnSync(
        native ?? '',
        ['bench', '--variant', variant, '--network', networkOf(variant)],
        { encoding: 'utf8' },
      );
      expect(stdout).toContain(`${variant} ${measured.nodes}\n`);
      browser.push(measured.nodes / measured.seconds);
      here.push(Number(/(\d+) nodes\/s/.exec(stderr)?.[1]));
    }
    const [inBrowser, natively] = [middle(browser), middle(here)];
    console.info(
      `${variant} ${build}: ${inBrowser.toFixed(0)} nodes/s in the browser, ${natively} natively: ${(inBrowser / natively).toFixed(2)}`,
    );
    expect(inBrowser / natively).toBeGreaterThan(0.5);
  });

interface Told {
  readonly nodes: number;
  readonly elapsedMs: number;
  readonly threads: number;
}

/** What the engine has told the page at the end of each search. */
interface Listening {
  told: Told[];
}

for (const variant of variants)
  test(`${variant}: two threads look at more nodes than one`, async ({ page }) => {
    test.skip(native === undefined, 'ADOUBE_NATIVE names no optimised binary');
    test.setTimeout(600_000);
    // Listens to what the engine tells the page.
    await page.addInitScript(() => {
      const told: Told[] = [];
      Object.assign(globalThis, { told } satisfies Listening);
      globalThis.Worker = class extends Worker {
        constructor(url: string | URL, options?: WorkerOptions) {
          super(url, options);
          this.addEventListener('message', ({ data }) => {
            if (data.type === 'done') told.push(data.answer.best);
          });
        }
      };
    });
    const speeds: Record<'1' | '2', number[]> = { '1': [], '2': [] };
    for (let round = 0; round < 3; round += 1)
      for (const threads of ['1', '2'] as const) {
        // A page of its own for each: nothing is remembered.
        await page.goto(`/analysis/${variant}`);
        await page.reload();
        await page.getByRole('switch', { name: 'Calculer' }).check();
        await page.getByRole('combobox', { name: 'Fils de calcul' }).selectOption(threads);
        await expect(page.locator(`[data-threads="${threads}"]`)).toBeVisible({ timeout: 60_000 });
        // All threads are there now: what follows is another search.
        await type(page, variant === 'interweave' ? 'a2a3' : 'd2d4');
        await page.waitForTimeout(4_000);
        const before = await page.evaluate(() => (globalThis as unknown as Listening).told.length);
        await page.getByRole('switch', { name: 'Calculer' }).uncheck();
        const last = await page.waitForFunction(
          (count) => (globalThis as unknown as Listening).told[count],
          before,
        );
        const { nodes, elapsedMs, ...found } = (await last.jsonValue()) as Told;
        expect(found.threads).toBe(Number(threads));
        speeds[threads].push((nodes / elapsedMs) * 1000);
      }
    const [one, two] = [middle(speeds['1']), middle(speeds['2'])];
    console.info(
      `${variant}: ${one.toFixed(0)} nodes/s with one thread, ${two.toFixed(0)} with two: ${(two / one).toFixed(2)}`,
    );
    expect(two).toBeGreaterThan(one);
  });
