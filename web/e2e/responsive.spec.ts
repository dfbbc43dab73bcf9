/**
 * Checks that a page responds before all of its work is done. `bench/touch.bench.ts` measures how
 * soon it responds.
 */
import { expect, test } from '@playwright/test';

for (const variant of ['chess', 'baroque', 'interweave', 'ultima'])
  test(`the first board on the ${variant} rules page can be used before the others are rendered`, async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        const boards = document.querySelectorAll('figure[data-diagram]:has(button[data-square])');
        if (boards.length === 0) return;
        observer.disconnect();
        document.documentElement.dataset['made'] = String(boards.length);
      });
      observer.observe(document, { childList: true, subtree: true });
    });
    await page.goto(`/rules/${variant}`);
    await expect(page.locator('html')).toHaveAttribute('data-made', '1');
    await expect
      .poll(() => page.locator('figure[data-diagram]:has(button[data-square])').count())
      .toBeGreaterThan(5);
  });

test('an answer appears before the next frame, without a request', async ({ page }) => {
  // The code for the notices arrives last on every page, and then opens the visitor's socket.
  const opening = page.waitForEvent('websocket');
  await page.goto('/rules/baroque');
  await opening;
  const figure = page.locator('figure[data-diagram="coordinator"]');
  await figure.getByRole('button', { name: 'Demander pourquoi' }).click();
  await figure.locator('button[data-square="c2"]').hover();
  await expect(figure.getByRole('region', { name: 'Réponse' })).toContainText('coordinateur');
  await page.waitForLoadState('networkidle');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const lateSquares = await figure.evaluate(async (board) => {
    const reply = board.querySelector('.reply');
    if (reply === null) return ['no region for answers'];
    const unanswered: string[] = [];
    for (const name of ['f5', 'a5', 'c2', 'c5', 'd5', 'h1']) {
      let isAnswered = false;
      const changes = new MutationObserver(() => (isAnswered = true));
      changes.observe(reply, { subtree: true, childList: true, characterData: true });
      const frame = new Promise(requestAnimationFrame);
      board.querySelector<HTMLButtonElement>(`button[data-square="${name}"]`)?.click();
      await frame;
      if (!isAnswered) unanswered.push(name);
      changes.disconnect();
    }
    return unanswered;
  });
  expect(lateSquares).toEqual([]);
  expect(requests).toEqual([]);
});
