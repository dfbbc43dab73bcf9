import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { setCores } from './cores';
import { type } from './game-page';

/**
 * Whether there is a multi-threaded build. There is none if the sources of Rust's standard
 * library are not installed.
 */
const hasThreadedBuild = existsSync(
  fileURLToPath(new URL('../src/lib/wasm/adoube_wasm_analysis_threads_bg.wasm', import.meta.url)),
);

function choice(page: Page): Locator {
  return page.getByRole('combobox', { name: 'Fils de calcul' });
}

/** Returns the text that is shown once this number of threads has searched. */
function threads(page: Page, count: number): Locator {
  return page.locator(`[data-threads="${count}"]`);
}

/**
 * Returns the first turn of the best line. Once it is visible, a search of the current position is
 * under way.
 */
function firstTurn(page: Page): Locator {
  return page.locator('[data-line="1"] .turn').first();
}

/** Returns the number of the page's workers whose script has this name. */
function workers(page: Page, name: string): number {
  return page.workers().filter((worker) => worker.url().includes(name)).length;
}

test.describe('several threads search together', () => {
  test.skip(
    !hasThreadedBuild && process.env['CI'] === undefined,
    'this build has no multi-threaded module',
  );
  test.beforeAll(() => {
    expect(hasThreadedBuild, 'no multi-threaded module; run `rustup component add rust-src`').toBe(
      true,
    );
  });

  test('the chosen number of threads is used, even after changes', async ({ page }) => {
    await setCores(page, 4);
    const fetched: string[] = [];
    page.context().on('request', (request) => fetched.push(new URL(request.url()).pathname));
    await page.goto('/analysis/chess');
    await page.getByRole('switch', { name: 'Calculer' }).check();
    await expect(choice(page)).toHaveValue('3');
    await expect(threads(page, 3)).toBeVisible({ timeout: 60_000 });
    expect(workers(page, 'helper')).toBe(2);
    await choice(page).selectOption('1');
    await expect(threads(page, 1)).toBeVisible();
    await choice(page).selectOption('4');
    await expect.poll(() => workers(page, 'helper')).toBe(3);
    // The count is updated only at each new depth; a new search shows the full count sooner.
    await type(page, 'e4');
    await expect(threads(page, 4)).toBeVisible({ timeout: 60_000 });
    await choice(page).selectOption('2');
    await expect(threads(page, 2)).toBeVisible();
    // Every turn stops the search and starts another one. About half of these searches are stopped
    // before their first result.
    const turns = ['e5', 'Cf3', 'Cc6', 'Fb5', 'a6', 'Fa4', 'Cf6', 'O-O', 'Fe7'];
    for (const [index, each] of turns.entries()) {
      await type(page, each);
      // White is to move after a turn by Black; the line then starts with a move number such as
      // `2.`.
      if (index % 2 === 0)
        await expect(firstTurn(page)).toHaveText(new RegExp(`^${index / 2 + 2}\\.`));
    }
    await expect(threads(page, 2)).toBeVisible();
    for (let time = 0; time < 10; time += 1) {
      await page.getByRole('switch', { name: 'Calculer' }).uncheck();
      await expect(firstTurn(page)).toHaveCount(0);
      await page.getByRole('switch', { name: 'Calculer' }).check();
      if (time % 2 === 0) await expect(firstTurn(page)).toBeVisible();
    }
    await expect(threads(page, 2)).toBeVisible();
    // The existing workers were reused.
    expect([workers(page, 'engine'), workers(page, 'helper')]).toEqual([1, 3]);
    // The other build was not fetched.
    const modules = fetched.filter((path) => path.endsWith('.wasm') && path.includes('analysis'));
    expect(modules.filter((path) => !path.includes('threads'))).toEqual([]);
    expect(modules.length).toBeGreaterThan(0);
    // The choice is remembered, and the workers end with the page.
    await page.goto('/');
    await expect.poll(() => page.workers().length).toBe(0);
    await page.goto('/analysis/baroque');
    await expect(choice(page)).toHaveValue('2');
    await expect(threads(page, 2)).toBeVisible({ timeout: 60_000 });
  });

  for (const { variant, fen, score } of [
    { variant: 'chess', fen: '7k/8/8/8/8/8/R7/1R4K1 w - - 0 1', score: '#2' },
    { variant: 'baroque', fen: '6N1/1p6/3k4/1Q4K1/8/6R1/8/7B w - - 0 1', score: '#2' },
    { variant: 'interweave', fen: '7k/8/8/7p/k7/8/8/R2K2K1[] w - - 0 1', score: '#1' },
  ])
    test(`${score} in ${variant}`, async ({ page }) => {
      await setCores(page, 4);
      await page.goto(`/analysis/${variant}#fen=${encodeURIComponent(fen)}`);
      await page.getByRole('switch', { name: 'Calculer' }).check();
      await expect(page.locator('[data-score]')).toHaveText(score);
    });

  test('the search runs with fewer threads if a helper fails to load', async ({ page }) => {
    await setCores(page, 4);
    // Every other request for the helper script fails.
    let requests = 0;
    await page.context().route('**/helper.worker*', async (route) => {
      requests += 1;
      if (requests % 2 === 0) await route.abort();
      else await route.continue();
    });
    await page.goto('/analysis/chess');
    await page.getByRole('switch', { name: 'Calculer' }).check();
    await expect(threads(page, 2)).toBeVisible({ timeout: 60_000 });
    await type(page, 'e4');
    await expect(firstTurn(page)).toHaveText(/^1…/);
    await expect(threads(page, 2)).toBeVisible({ timeout: 60_000 });
    await expect(page.getByText('n’a pas pu être chargé')).toHaveCount(0);
  });

  test('a single thread uses the faster build without shared memory', async ({ page }) => {
    await setCores(page, 4);
    await page.addInitScript(() => localStorage.setItem('adoube.analysis.threads', '1'));
    const fetched: string[] = [];
    page.context().on('request', (request) => fetched.push(new URL(request.url()).pathname));
    const shared = (): boolean[] =>
      fetched
        .filter((path) => path.endsWith('.wasm') && path.includes('analysis'))
        .map((path) => path.includes('threads'));
    await page.goto('/analysis/chess');
    await page.getByRole('switch', { name: 'Calculer' }).check();
    await expect(threads(page, 1)).toBeVisible();
    expect(shared()).toContain(false);
    expect(shared()).not.toContain(true);
    await choice(page).selectOption('2');
    await expect(threads(page, 2)).toBeVisible({ timeout: 60_000 });
    expect(shared()).toContain(true);
    expect([workers(page, 'engine'), workers(page, 'helper')]).toEqual([1, 1]);
  });

  test('with one core there is one thread and no choice', async ({ page }) => {
    await setCores(page, 1);
    await page.goto('/analysis/chess');
    await page.getByRole('switch', { name: 'Calculer' }).check();
    await expect(threads(page, 1)).toBeVisible();
    await expect(choice(page)).toHaveCount(0);
    expect(workers(page, 'helper')).toBe(0);
  });

  test('one thread searches if the multi-threaded module fails to load', async ({ page }) => {
    await setCores(page, 4);
    await page.context().route('**/adoube_wasm_analysis_threads*', (route) => route.abort());
    await page.goto('/analysis/chess');
    await page.getByRole('switch', { name: 'Calculer' }).check();
    await expect(threads(page, 1)).toBeVisible();
  });
});
