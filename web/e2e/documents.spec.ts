import { expect, test, type Page } from '@playwright/test';
import { openMenu } from './menu';

/** Waits until the script has replaced the document. */
const expectStarted = (page: Page) => expect(page.locator('.document')).toHaveCount(0);

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false, locale: 'fr-FR' });

  test('links lead from the home page to a problem and its solution', async ({ page }) => {
    await page.goto('/');
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
    await expect(page.getByRole('main').locator('figure img')).toBeVisible();
    await page.getByRole('link', { name: 'Problèmes' }).first().click();
    await expect(page).toHaveURL(/\/fr\/problems$/);
    await page.getByRole('main').locator('ol a').first().click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('problème');
    const picture = page.locator('figure.position img');
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(300);
    const solution = page.getByText(/^La solution/);
    await expect(solution).toBeHidden();
    await page.getByText('Voir la solution').click();
    await expect(solution).toBeVisible();
  });

  test('a drill comes with its task, its answer and its rule', async ({ page }) => {
    await page.goto('/en/learn/baroque/pawn-two');
    await expect(page.getByText('Capture d5 and e4 in one move.')).toBeVisible();
    await page.getByText('Show the answer').click();
    await expect(page.getByText('Answer: P')).toBeVisible();
    await page.getByRole('link', { name: 'Rule B6' }).click();
    await expect(page).toHaveURL(/\/en\/rules\/baroque#B6$/);
    await expect(page.locator('#B6')).toBeInViewport();
  });

  test('an interactive page says that it needs JavaScript', async ({ page }) => {
    await page.goto('/es/hall');
    await expect(page.getByText('Esta página necesita JavaScript')).toBeVisible();
    await page.getByRole('link', { name: 'English' }).click();
    await expect(page).toHaveURL(/\/en\/hall$/);
    await expect(page.getByText('This page needs JavaScript')).toBeVisible();
  });

  test('a missing page gets a 404 response with a link to the home page', async ({ page }) => {
    const response = await page.goto('/en/game/000000000000');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Game not found');
    await page.getByRole('link', { name: 'Back to the home page' }).click();
    await expect(page).toHaveURL(/\/en\/$/);
  });
});

test.describe('an address with a language', () => {
  test.use({ locale: 'fr-FR' });

  test('shows that language and keeps it in links until the visitor chooses another one', async ({
    page,
  }) => {
    await page.goto('/en/rules/baroque');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rules: Baroque');
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    await expectStarted(page);
    await openMenu(page);
    await page.getByRole('banner').getByRole('link', { name: 'Hall' }).click();
    await expect(page).toHaveURL(/\/en\/hall$/);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Hall');
    await expectStarted(page);
    await openMenu(page);
    await page.getByRole('combobox', { name: 'Language' }).selectOption('es');
    await expect(page).toHaveURL(/[^n]\/hall$/);
    await page.goBack();
    await expect(page).toHaveURL(/\d\/rules\/baroque$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reglas: Baroque');
    await page.goto('/');
    await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  });
});

test('a page whose script cannot be loaded says so after a delay', async ({ page, request }) => {
  // Waits until the server responds, so that a slow start cannot affect the times below.
  expect((await request.get('/favicon.svg')).ok()).toBe(true);
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.goto('/fr/hall');
  const message = page.getByText('Le programme de cette page n’a pas pu être chargé');
  await expect(message).toBeHidden();
  await expect(message).toBeVisible({ timeout: 15_000 });
  await expect(page.getByRole('link', { name: 'Règles' }).first()).toBeVisible();
});
