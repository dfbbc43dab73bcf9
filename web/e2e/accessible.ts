import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** All groups of diagrams on a rule page except the first. */
const LATER_DIAGRAMS = '.rules .diagrams ~ .diagrams';

/** The minimum height and width of a control, in CSS pixels. */
const MIN_SIZE = 44;

/**
 * Fails if axe finds a violation, such as insufficient contrast, on the current page or in one part
 * of it.
 */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  // The default mode opens a second page to protect the result from hostile frames; here there are none.
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (part !== undefined) axe.include(part);
  // A rule page has up to 27 similar boards; checking all their squares would take most of a minute.
  axe.exclude(LATER_DIAGRAMS);
  // Listing all elements that passed would double the time.
  axe.options({ runOnly: { type: 'tag', values: TAGS }, resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  const found = violations.map(({ id, nodes }) => ({
    id,
    nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
  }));
  expect(found).toEqual([]);
}

/** Fails if the page scrolls horizontally. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const [content, width] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  expect(content).toBeLessThanOrEqual(width ?? 0);
}

/** Fails if the current page has violations in either theme, or scrolls horizontally. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Contrast can be checked only once the colour transitions have ended.
    await page.evaluate(async () => {
      const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition);
      await Promise.allSettled(transitions.map(({ finished }) => finished));
    });
    await expectAccessible(page);
  }
  await expectNoSidewaysScroll(page);
}

/**
 * Returns the controls that are too small for a finger. Leaves out squares, whose size depends on
 * the board, and links within text, which would push the lines apart if they were taller.
 */
export function smallTargets(page: Page): Promise<string[]> {
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
