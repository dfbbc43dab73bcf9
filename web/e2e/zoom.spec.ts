/**
 * Tests every page for people with poor eyesight or limited dexterity: zoomed to 200%, and on touch
 * screens.
 */
import { expect, test, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessible';
import { allPages, openPage } from './all-pages';

/** The minimum height and width of a control, in CSS pixels. */
const MIN_SIZE = 44;

/**
 * Returns the controls that are too small for a finger. Exceptions are squares, whose size depends
 * on the board, and links within text, because taller links would push the lines apart.
 */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((minSize) => {
    const controls =
      'a[href], button:not([data-square]), select, summary, textarea, input, [role="slider"]';
    const found: string[] = [];
    for (const element of document.querySelectorAll<HTMLElement>(controls)) {
      // A label around a control can be pressed as well.
      const target = element.closest('label') ?? element;
      const { width, height } = target.getBoundingClientRect();
      const { display } = getComputedStyle(target);
      const isVisible = target.checkVisibility({
        visibilityProperty: true,
        contentVisibilityAuto: true,
      });
      if (
        !isVisible ||
        width <= 1 ||
        height <= 1 ||
        target.closest('.visually-hidden, .skip') !== null
      )
        continue;
      if (display === 'inline' || target.matches('.clause')) continue;
      if (width < minSize - 0.5 || height < minSize - 0.5)
        found.push(
          `${target.tagName} ${Math.round(width)}×${Math.round(height)} ${target.outerHTML.slice(0, 120)}`,
        );
    }
    return found;
  }, MIN_SIZE);
}

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
    // Zoomed to 400%, the window is as narrow as WCAG requires pages to support.
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
