/** Tests printed games, analyses and problems: lists of turns are printed, controls are not. */
import { expect, test } from '@playwright/test';
import { createGame, expectPly, showAll, type } from './game-page';

test('a printed game shows the turns', async ({ page }) => {
  await createGame(page, '', { variant: 'Échecs', opponent: 'machine', color: 'Blancs', level: 1 });
  await showAll(page);
  await type(page, 'e2e4');
  await expectPly(page, 2);
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.moves li').first()).toHaveText(/1\s*e4\s*\S+/);
  for (const turn of await page.locator('.moves [data-ply]').all())
    await expect(turn).toBeVisible();
  await expect(page.getByRole('button', { name: 'Abandonner' })).toBeHidden();
});

test('a printed analysis shows the turns but not the engine', async ({ page }) => {
  await page.goto('/analysis/chess#turns=e2e4.e7e5.g1f3&ply=3');
  await page.getByRole('switch', { name: 'Calculer' }).check();
  await expect(page.locator('[data-line="1"]')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('.tree .turn')).toHaveCount(3);
  for (const turn of await page.locator('.tree .turn').all()) await expect(turn).toBeVisible();
  await expect(page.getByText('Calculer')).toBeHidden();
  await expect(page.locator('[data-line="1"]')).toBeHidden();
});

test('a printed problem shows the solution but no drop-down list', async ({ page }) => {
  await page.goto('/problems/chess');
  await page.getByRole('button', { name: 'Voir la solution' }).click();
  const turns = page.getByRole('region', { name: 'La solution, coup par coup' }).locator('li');
  await expect(turns.first()).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(turns.first().getByRole('button')).toBeVisible();
  await expect(page.locator('main select')).toBeHidden();
});
