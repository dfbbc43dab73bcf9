import { expect, test } from '@playwright/test';
import { openMenu } from './menu';

test('a diagram in the rules can be played on and reset', async ({ page }) => {
  await page.goto('/rules/baroque');
  const pawn = page.locator('figure[data-diagram="pawn"]');
  await expect(pawn.locator('button[data-square]')).toHaveCount(64);
  // The move and its two captures are highlighted, as the text describes them.
  await expect(pawn.locator('[data-drawing]')).toHaveCount(3);
  await pawn.locator('button[data-square="c2"]').click();
  await pawn.locator('button[data-square="c4"]').click();
  await expect(pawn.getByRole('status').last()).toHaveText(/pris\s: d4, c5$/);
  await expect(pawn.locator('img[data-square="d4"]')).toHaveCount(0);
  await expect(pawn.locator('[data-drawing]')).toHaveCount(0);
  await pawn.getByRole('button', { name: 'Position initiale' }).click();
  await expect(pawn.locator('img[data-square="d4"]')).toHaveCount(1);
});

test('the table of pieces shows each piece from the chosen set', async ({ page }) => {
  const sources = (): Promise<string[]> =>
    page
      .locator('table .man img')
      .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src));
  await page.goto('/rules/ultima');
  await expect.poll(async () => (await sources()).length).toBe(7);
  const before = await sources();
  expect(new Set(before).size).toBe(7);
  await page.goto('/settings');
  await page
    .getByRole('group', { name: /Ultima/ })
    .getByRole('radio', { name: 'Classiques' })
    .check();
  await page.goto('/rules/ultima');
  await expect.poll(async () => (await sources()).length).toBe(7);
  for (const source of await sources()) expect(before).not.toContain(source);
});

test('the table of contents stays visible beside the text in a wide window', async ({ page }) => {
  await page.goto('/rules/baroque');
  const contents = page.getByRole('navigation', { name: 'Sur cette page' });
  await page.locator('#B12').scrollIntoViewIfNeeded();
  await expect(contents).toBeInViewport();
  await contents.getByRole('link').last().click();
  await expect(page.locator('article h2').last()).toBeInViewport();
  await expect(contents).toBeInViewport();
});

test('the rules follow the language and the chosen game', async ({ page }) => {
  await page.goto('/');
  await openMenu(page);
  await page.getByRole('banner').getByRole('link', { name: 'Règles' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Règles : Échecs');
  await page.getByRole('link', { name: 'Interweave' }).click();
  await expect(page.getByRole('heading', { level: 3, name: 'Le frappeur' })).toBeVisible();
  await openMenu(page);
  await page.getByLabel('Langue').selectOption('en');
  await expect(page.getByRole('heading', { level: 3, name: 'The smasher' })).toBeVisible();
});

test('the rules come with the document and are not fetched again', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.goto('/rules/interweave');
  await expect(page.locator('figure[data-diagram] button[data-square]').first()).toBeVisible();
  expect(requests.filter((path) => path.startsWith('/api/rules'))).toEqual([]);
  // The document preloads these files; each is still fetched only once.
  for (const file of [/\/fr-[\w-]+\.js$/, /\.wasm$/])
    expect(requests.filter((path) => file.test(path))).toHaveLength(1);
  await openMenu(page);
  // Another language is fetched; the first one is still cached.
  await page.getByLabel('Langue').selectOption('en');
  await expect(page.getByRole('heading', { level: 3, name: 'The smasher' })).toBeVisible();
  await page.getByLabel('Language').selectOption('fr');
  await expect(page.getByRole('heading', { level: 3, name: 'Le frappeur' })).toBeVisible();
  expect(requests.filter((path) => path.startsWith('/api/rules'))).toHaveLength(1);
});

test('the rules can be read before the boards are ready', async ({ page }) => {
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto('/rules/baroque#B12');
  await expect(page.locator('#B12')).toBeInViewport();
  await expect(page.getByRole('alert')).toBeVisible();
  await expect(page.locator('figure[data-diagram] img').first()).toBeAttached();
  await page.unroute('**/*.wasm');
  await expect(page.locator('figure[data-diagram] button[data-square]').first()).toBeAttached();
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('the rules can be read, with pictures', async ({ page }) => {
    await page.goto('/rules/interweave');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Règles : Interweave');
    const picture = page.locator('figure[data-diagram="remover"] img');
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(300);
  });
});
