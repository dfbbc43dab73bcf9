/**
 * Measures the time from an interaction to the next frame on every page, on a processor four times
 * slower. On each page it presses the controls in the window that change nothing but the page, a
 * square of the board, and a link to another page.
 */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { allPages, openPage } from '../e2e/all-pages';

const SLOWDOWN = 4;
/** The longest acceptable time, in milliseconds. */
const MOST_MS = 100;
/**
 * Number of attempts for a slow interaction. Other programs may be running, so the fastest counts.
 */
const ATTEMPTS = 4;
const MOST_CONTROLS = 12;

declare global {
  interface Window {
    longestInteraction: number;
  }
}

/** Returns the time from an interaction to the next frame, in milliseconds; 0 if it is below 16. */
async function timeOf(page: Page, interact: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => (window.longestInteraction = 0));
  await interact();
  // The entries of a frame are delivered a little after it.
  await page.waitForTimeout(250);
  return page.evaluate(() => window.longestInteraction);
}

/** Returns the fastest of a few attempts. */
async function fastest(page: Page, interact: () => Promise<unknown>): Promise<number> {
  let best = Infinity;
  for (let attempt = 0; attempt < ATTEMPTS && best > MOST_MS; attempt += 1)
    best = Math.min(best, await timeOf(page, interact));
  return best;
}

/** Returns the controls that can be pressed without leaving the page or creating anything. */
async function controls(page: Page): Promise<Locator[]> {
  const all = page.locator(
    'main :is(button[type=button]:not([data-square], .primary, .danger), summary, input[type=radio], input[type=checkbox])',
  );
  const found: Locator[] = [];
  for (const each of await all.all()) {
    if (found.length === MOST_CONTROLS) break;
    const box = await each.boundingBox();
    if (box === null || box.y < 0 || box.y + box.height > 740) continue;
    if (await each.isEnabled()) found.push(each);
  }
  return found;
}

for (const each of allPages)
  test(`${each.name} answers an interaction within ${MOST_MS} ms`, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
    const page = await context.newPage();
    await page.addInitScript(() => {
      window.longestInteraction = 0;
      new PerformanceObserver((list) => {
        // TypeScript's browser types do not have this number yet.
        type Timing = PerformanceEventTiming & { interactionId: number };
        for (const entry of list.getEntries() as Timing[])
          if (entry.interactionId !== 0)
            window.longestInteraction = Math.max(window.longestInteraction, entry.duration);
      }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
    });
    await openPage(page, each, process.env['ADOUBE_URL'] ?? '');
    const cdp = await context.newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });

    const times: [control: string, ms: number][] = [];
    const address = page.url();
    const square = page.locator('button[data-square]:not([inert] *)').nth(52);
    if (await square.isVisible())
      times.push(['a square', await fastest(page, () => square.click({ timeout: 5_000 }))]);
    for (const control of await controls(page)) {
      const name = (
        (await control.getAttribute('aria-label')) ??
        (await control.textContent()) ??
        ''
      ).trim();
      const value = await control.getAttribute('value');
      times.push([
        `${name || value || 'control'}`.slice(0, 30),
        await fastest(page, () => control.click({ force: true, timeout: 5_000 }).catch(() => {})),
      ]);
      if (page.url() !== address) break;
      // A sheet that the control has opened would cover the next one.
      await page.keyboard.press('Escape');
    }
    // The next page is different each time, so it is measured once.
    const menu = page.getByRole('button', { name: 'Menu' });
    if (await menu.isVisible()) {
      times.push(['the menu', await fastest(page, () => menu.click())]);
      const link = page.locator('#site-menu a').nth(4);
      if (!(await link.isVisible())) await menu.click();
      times.push(['another page', await timeOf(page, () => link.click())]);
    }
    times.sort(([, a], [, b]) => b - a);
    const [worst] = times;
    const shown = times.slice(0, 4).map(([name, ms]) => `${name} ${ms} ms`);
    console.info(`${each.name}: ${shown.join(', ')}`);
    expect.soft(worst?.[1] ?? 0, worst?.[0]).toBeLessThanOrEqual(MOST_MS);
    await context.close();
  });
