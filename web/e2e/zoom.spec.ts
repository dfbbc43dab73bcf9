/**
 * Tests the pages in `all-pages.ts` as people with poor eyesight or limited dexterity use them:
 * zoomed to 200% and 400%, and on touch screens.
 */
import { expect, test } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, smallTargets } from './accessible';
import { allPages, openPage } from './all-pages';

for (const each of allPages) {
  // A window of 1280 × 800 pixels, zoomed.
  test(`${each.name} is accessible at 200%`, async ({ browser }) => {
    const context = await browser.newContext({
      viewport: { width: 640, height: 400 },
      deviceScaleFactor: 2,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await openPage(page, each);
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    // At 400%, the window has the smallest width that WCAG requires pages to support.
    await page.setViewportSize({ width: 320, height: 200 });
    await expectNoSidewaysScroll(page);
    await context.close();
  });

  test(`${each.name} can be used with a finger`, async ({ browser }) => {
    const context = await browser.newContext({
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    await openPage(page, each);
    expect(await smallTargets(page)).toEqual([]);
    for (const [width, height] of [
      [740, 360],
      [768, 1024],
    ] as const) {
      await page.setViewportSize({ width, height });
      expect(await smallTargets(page), `${width}x${height}`).toEqual([]);
      await expectNoSidewaysScroll(page);
    }
    await context.close();
  });
}
