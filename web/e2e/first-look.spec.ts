import { expect, test } from '@playwright/test';

test('a newcomer sees a move that captures two pieces, and can make a move with three clicks', async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/');
  await expect(
    page.getByRole('link', { name: 'Jamais joué\u202f? Commencez ici' }),
  ).toHaveAttribute('href', '/learn/chess');
  const firstLook = page.getByRole('region', { name: 'Un coup joué à Baroque' });
  const stage = firstLook.locator('figure');
  await expect(firstLook).toBeVisible();
  const men = firstLook.locator('.board img[data-square]');
  await expect(stage).toHaveAttribute('data-stage', 'before');
  const before = await men.count();
  await expect(stage).toHaveAttribute('data-stage', 'plan');
  // The two captured pieces and the path of the pawn are marked.
  await expect(firstLook.locator('[data-drawing]')).toHaveCount(3);
  await expect(stage).toHaveAttribute('data-stage', 'after');
  await expect(men).toHaveCount(before - 2);
  await firstLook.getByRole('button', { name: 'Arrêter l’animation' }).click();
  await expect(firstLook.getByRole('button', { name: 'Revoir le coup' })).toBeVisible();
  await firstLook.getByRole('button', { name: /^Essayer Baroque/ }).click();
  await expect(page).toHaveURL(/\/game\//);
  await page.locator('button[data-square="d2"]').click();
  await page.locator('button[data-square="d4"]').click();
  await expect(page.locator('img[data-square="d4"]')).toBeVisible();
});

test.describe('with reduced motion', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } });

  test('the result of the move is shown only when the visitor requests it', async ({ page }) => {
    await page.goto('/');
    const firstLook = page.getByRole('region', { name: 'Un coup joué à Baroque' });
    const stage = firstLook.locator('figure');
    await expect(firstLook.locator('[data-drawing]')).toHaveCount(3);
    await page.waitForTimeout(2500);
    await expect(stage).toHaveAttribute('data-stage', 'plan');
    await firstLook.getByRole('button', { name: 'Revoir le coup' }).click();
    await expect(stage).toHaveAttribute('data-stage', 'after');
  });
});

test('a newcomer with a phone starts a game of chess, or goes to the hall, from the first screen', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/');
  const chess = page.getByRole('button', { name: 'Échecs contre la machine' });
  const tryBaroque = page.getByRole('button', { name: /^Essayer Baroque/ });
  await expect(page.getByRole('link', { name: 'Trouver un adversaire' })).toBeInViewport();
  await expect(tryBaroque).toBeInViewport({ ratio: 1 });
  await expect(chess).toBeInViewport({ ratio: 1 });
  await chess.click();
  await expect(page).toHaveURL(/\/game\//);
});

test('visitors who have played see the form first', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => localStorage.setItem('adoube.new-game', '{}'));
  await page.reload();
  const firstLook = page.getByRole('region', { name: 'Un coup joué à Baroque' });
  const play = page.getByRole('button', { name: 'Jouer', exact: true });
  await expect(firstLook).toBeVisible();
  const [form, board] = [await play.boundingBox(), await firstLook.boundingBox()];
  expect(form && board && form.y < board.y).toBe(true);
});
