/**
 * Tests the size of the boards on every screen, the arrow keys, the reasons shown for pieces that
 * cannot move, and the absence of layout shifts.
 */
import { expect, test, type Page } from '@playwright/test';
import { allPages, openPage } from './all-pages';
import { openMenu } from './menu';

const SCREENS = [
  { width: 1280, height: 800 },
  { width: 1366, height: 657 },
  { width: 1920, height: 1080 },
  { width: 360, height: 740 },
  { width: 740, height: 360 },
  { width: 768, height: 1024 },
] as const;

/** The minimum width of a board, as a share of the screen's shorter side. */
const MIN_BOARD_SHARE = 0.85;

const PAGES = {
  'a problem': (page: Page) => page.goto('/problems/baroque'),
  'a drill': (page: Page) => page.goto('/learn/baroque/king-takes'),
  'the analysis': (page: Page) => page.goto('/analysis/interweave'),
  'the editor': (page: Page) => page.goto('/problems/chess/compose'),
  'a game': async (page: Page) => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Jouer', exact: true }).click();
    await page.waitForURL('**/game/*');
  },
} satisfies Record<string, (page: Page) => Promise<unknown>>;

for (const [name, open] of Object.entries(PAGES))
  test(`the board of ${name} fits every screen`, async ({ page }) => {
    await page.setViewportSize(SCREENS[0]);
    await open(page);
    const board = page.getByRole('grid').first();
    for (const screen of SCREENS) {
      await page.setViewportSize(screen);
      const label = `${screen.width}x${screen.height}`;
      await expect
        .poll(async () => {
          const box = await board.boundingBox();
          if (box === null) return 'no board';
          const { x, y, width, height } = box;
          const fits = x >= 0 && y >= 0 && x + width <= screen.width && y + height <= screen.height;
          const part = width / Math.min(screen.width, screen.height);
          return fits && part >= MIN_BOARD_SHARE ? 'fits' : JSON.stringify({ ...box, part });
        }, label)
        .toBe('fits');
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(sideways, label).toBe(0);
    }
  });

test('the draw button does not move up or down when turns are played', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('radio', { name: 'Blancs', exact: true }).check();
  await page.getByRole('button', { name: 'Jouer', exact: true }).click();
  const draw = page.getByRole('button', { name: 'Proposer nulle' });
  await expect(draw).toBeVisible();
  let before = await draw.boundingBox();
  const turns = page.getByRole('region', { name: 'Coups' }).locator('[data-ply]');
  for (const [from, to, plies] of [
    ['e2', 'e4', 2],
    ['d2', 'd3', 4],
    ['g1', 'f3', 6],
  ] as const) {
    await page.locator(`button[data-square=${from}]`).click();
    await page.locator(`button[data-square=${to}]`).click();
    await expect(turns).toHaveCount(plies);
    // The first turn adds a button, because from then on a turn can be taken back.
    if (plies === 2) before = await draw.boundingBox();
  }
  expect((await draw.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
});

test('the arrow keys step through the game after a press on the board', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('radio', { name: 'Blancs', exact: true }).check();
  await page.getByRole('button', { name: 'Jouer', exact: true }).click();
  await page.locator('button[data-square=e2]').click();
  await page.locator('button[data-square=e4]').click();
  const turns = page.getByRole('region', { name: 'Coups' }).locator('[data-ply]');
  await expect(turns).toHaveCount(2);
  // Pressing Shift first, which only changes what the pointer draws, makes no difference.
  await page.keyboard.press('Shift');
  await page.keyboard.press('ArrowLeft');
  await expect(turns.first()).toHaveAttribute('aria-current', 'step');
  // If the board was focused with the Tab key, the same keys move between its squares.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('ArrowUp');
  await expect(page.locator('button[data-square=e5]')).toBeFocused();
  await expect(turns.first()).toHaveAttribute('aria-current', 'step');
});

test('the reason why a piece cannot move is shown, with a link to the rules of the game', async ({
  page,
}) => {
  await page.goto('/');
  await page.locator('input[value=baroque]').check();
  await page.getByRole('radio', { name: 'Blancs', exact: true }).check();
  await page.getByRole('button', { name: 'Jouer', exact: true }).click();
  await page.locator('button[data-square=a1]').click();
  const reason = page.getByRole('status').filter({ hasText: 'L’immobiliseur blanc en a1' });
  // The conclusion comes first. The piece's three neighbours share a sentence and a link to a rule.
  await expect(reason.getByRole('listitem').first()).toHaveText('Ne peut aller nulle part.');
  await expect(reason.getByText(/^Son propre camp occupe [ab]\d, [ab]\d, [ab]\d\./)).toBeVisible();
  await expect(reason.getByRole('link', { name: 'Règle B2' })).toHaveCount(1);
  await expect(reason.getByRole('link', { name: 'Règle B2' })).toHaveAttribute(
    'href',
    '/rules/baroque#B2',
  );
  // The next press on the board hides the reason.
  await page.locator('button[data-square=e2]').click();
  await expect(reason).toBeHidden();
  await openMenu(page);
  await expect(page.getByRole('link', { name: 'Règles', exact: true })).toHaveAttribute(
    'href',
    '/rules/baroque',
  );
});

declare global {
  interface Window {
    layoutShift: number;
  }
}

/** Adds up the layout shifts that were not caused by input, as measured by the browser. */
function sumShifts(): void {
  window.layoutShift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[])
      if (!entry.hadRecentInput) window.layoutShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

for (const each of allPages)
  test(`the layout does not shift while ${each.name} is loaded`, async ({ page }) => {
    await openPage(page, each);
    await page.addInitScript(sumShifts);
    for (const [width, height] of [
      [1366, 657],
      [740, 360],
      [360, 740],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.reload();
      await expect(each.ready(page).first()).toBeVisible();
      await page.waitForLoadState('networkidle');
      const shift = await page.evaluate(() => window.layoutShift);
      // Text that becomes a few pixels wider causes a smaller shift than this.
      expect(shift, `${width}x${height}`).toBeLessThan(0.005);
    }
  });
