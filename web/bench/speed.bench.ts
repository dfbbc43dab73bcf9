import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { benchInPage, builds, engineFiles, networkOf } from '../e2e/engine-module';
import { type } from '../e2e/game-page';

/**
 * Path of an optimised `adoube` binary; its `bench` command gives the baseline for the engine in
 * the browser.
 */
const native = process.env['ADOUBE_NATIVE'] ?? '';
const rounds = 5;

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? 0;

const variants = ['chess', 'baroque', 'interweave'];

for (const [variant, build] of variants.flatMap((each) =>
  builds.map((one) => [each, one] as const),
))
  test(`${variant} ${build}: at least half as fast in the browser as natively`, async ({
    page,
  }) => {
    test.setTimeout(300_000);
    const files = await engineFiles(page, variant, build);
    const browserSpeeds: number[] = [];
    const nativeSpeeds: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const { nodes, seconds } = await benchInPage(page, variant, files);
      const { stdout, stderr } = spawnSync(
        native,
        ['bench', '--variant', variant, '--network', networkOf(variant)],
        { encoding: 'utf8' },
      );
      expect(stdout).toContain(`${variant} ${nodes}\n`);
      browserSpeeds.push(nodes / seconds);
      nativeSpeeds.push(Number(/(\d+) nodes\/s/.exec(stderr)?.[1]));
    }
    const [browserSpeed, nativeSpeed] = [median(browserSpeeds), median(nativeSpeeds)];
    console.info(
      `${variant} ${build}: ${browserSpeed.toFixed(0)} nodes/s in the browser, ${nativeSpeed} natively: ${(browserSpeed / nativeSpeed).toFixed(2)}`,
    );
    expect(browserSpeed / nativeSpeed).toBeGreaterThan(0.5);
  });

interface SearchInfo {
  readonly nodes: number;
  readonly elapsedMs: number;
  readonly threads: number;
}

/** The global object, with the result that the engine sends to the page after each search. */
interface Recorder {
  results: SearchInfo[];
}

for (const variant of variants)
  test(`${variant}: two threads search more nodes per second than one`, async ({ page }) => {
    test.setTimeout(600_000);
    await page.addInitScript(() => {
      const results: SearchInfo[] = [];
      Object.assign(globalThis, { results } satisfies Recorder);
      globalThis.Worker = class extends Worker {
        constructor(url: string | URL, options?: WorkerOptions) {
          super(url, options);
          this.addEventListener('message', ({ data }) => {
            if (data.type === 'done') results.push(data.answer.best);
          });
        }
      };
    });
    const speeds: Record<'1' | '2', number[]> = { '1': [], '2': [] };
    for (let round = 0; round < 3; round += 1)
      for (const threads of ['1', '2'] as const) {
        // A fresh page for each run, so that the transposition table starts empty.
        await page.goto(`/analysis/${variant}`);
        await page.reload();
        await page.getByRole('switch', { name: 'Calculer' }).check();
        await page.getByRole('combobox', { name: 'Fils de calcul' }).selectOption(threads);
        await expect(page.locator(`[data-threads="${threads}"]`)).toBeVisible({ timeout: 60_000 });
        // All threads are running now, so the next turn starts a search that uses all of them.
        await type(page, variant === 'interweave' ? 'a2a3' : 'd2d4');
        await page.waitForTimeout(4_000);
        const before = await page.evaluate(
          () => (globalThis as unknown as Recorder).results.length,
        );
        await page.getByRole('switch', { name: 'Calculer' }).uncheck();
        const last = await page.waitForFunction(
          (count) => (globalThis as unknown as Recorder).results[count],
          before,
        );
        const { nodes, elapsedMs, threads: usedThreads } = (await last.jsonValue()) as SearchInfo;
        expect(usedThreads).toBe(Number(threads));
        speeds[threads].push((nodes / elapsedMs) * 1000);
      }
    const [one, two] = [median(speeds['1']), median(speeds['2'])];
    console.info(
      `${variant}: ${one.toFixed(0)} nodes/s with one thread, ${two.toFixed(0)} with two: ${(two / one).toFixed(2)}`,
    );
    expect(two).toBeGreaterThan(one);
  });
