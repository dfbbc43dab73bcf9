import { expect, test } from '@playwright/test';
import { openMenu } from './menu';
import { expectAccessibleInBothThemes } from './accessible';
import { openMore, showAll } from './game-page';

test('the home page is accessible, and so are all settings of a new game', async ({ page }) => {
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('À quoi jouons-nous ?');
  await expectAccessibleInBothThemes(page);
  await page.getByRole('radio', { name: 'un ami, par un lien' }).check();
  await page.getByRole('radio', { name: 'Autre…' }).check();
  await openMore(page);
  await page.getByRole('radio', { name: 'Par son numéro' }).check();
  await expectAccessibleInBothThemes(page);
});

test('a game against the machine is accessible', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('radio', { name: 'Blancs', exact: true }).check();
  await page.getByRole('button', { name: 'Jouer', exact: true }).click();
  await expect(page).toHaveURL(/\/game\/\w{12}$/);
  await expect(page.getByRole('heading', { name: 'À vous de jouer' })).toBeVisible();
  await expect(page).toHaveTitle(/^● À vous · /);
  await expect(page.locator('link[rel=icon]')).toHaveAttribute('href', '/favicon-turn.svg');
  await showAll(page);
  await page.locator('summary', { hasText: 'Réglages' }).click();
  await page.getByText('Partager').click();
  await expectAccessibleInBothThemes(page);
});

test('a game that is waiting for an opponent is accessible', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('radio', { name: /Baroque/ }).check();
  await page.getByRole('radio', { name: 'un ami, par un lien' }).check();
  await page.getByRole('button', { name: 'Créer le lien' }).click();
  await expect(page.getByLabel('Lien d’invitation')).toHaveValue(/\/invite\/\w+$/);
  await expectAccessibleInBothThemes(page);
});

for (const [path, heading] of [
  ['/hall', 'La salle'],
  ['/games', 'Vos parties'],
  ['/account', 'Compte'],
  ['/settings', 'Réglages'],
  ['/rules/baroque', 'Règles : Baroque'],
  ['/learn/interweave', 'Exercices : Interweave'],
  ['/problems/interweave', 'Problèmes : Interweave'],
  ['/nowhere', 'Page introuvable'],
] as const) {
  test(`${path} is accessible`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
    await expect(page.getByText('Chargement…')).toHaveCount(0);
    await expectAccessibleInBothThemes(page);
  });
}

test('the language changes without a reload and is remembered', async ({ page }) => {
  await page.goto('/');
  await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
  await openMenu(page);
  await page.getByLabel('Langue').selectOption('en');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What shall we play?');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(page.locator('body[data-same-page]')).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What shall we play?');
  await expect(page).toHaveTitle('What shall we play? – adoube');
});

test('the chosen theme is remembered', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  await openMenu(page);
  await page.getByLabel('Apparence').selectOption('dark');
  const background = (): Promise<string> =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(await background()).toBe('rgb(24, 22, 19)');
  await page.reload();
  expect(await background()).toBe('rgb(24, 22, 19)');
});

test('an invalid starting position is explained while it is typed', async ({ page }) => {
  await page.goto('/');
  await openMore(page);
  await page.getByRole('radio', { name: 'Une position (FEN)' }).check();
  const field = page.getByLabel('Position de départ (FEN)');
  await field.fill('8/8/8/8/8/8/8 w - - 0 1');
  await expect(page.getByText(/Rangées dans cette FEN\u00a0: 7/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Jouer', exact: true })).toBeDisabled();
  await field.fill('6k1/8/8/8/8/8/8/K6R w - - 0 1');
  await expect(page.getByText('Position correcte, trait aux Blancs.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Jouer', exact: true })).toBeEnabled();
});

test('the focus moves to the heading of the new page', async ({ page }) => {
  await page.goto('/nowhere');
  await page.getByRole('link', { name: 'Retour à l’accueil' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});

test('an outdated page says so and offers to reload', async ({ page }) => {
  // Simulates a new release: the server no longer has this page's module and scripts.
  await page.route('**/assets/*.wasm', (route) => route.fulfill({ status: 404, body: 'gone' }));
  await page.route('**/assets/*.js', (route) =>
    route.request().method() === 'HEAD' ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.goto('/');
  const notice = page.getByRole('alert');
  await expect(notice).toContainText('Cette page est plus ancienne que le serveur');
  await page.unrouteAll();
  await notice.getByRole('button', { name: 'Recharger la page' }).click();
  await expect(
    page.getByRole('img', { name: 'Position de départ de Baroque' }).locator('img'),
  ).toHaveCount(32);
  await expect(notice).toHaveCount(0);
});
