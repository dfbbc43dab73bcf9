import { expect, test, type Browser, type Page } from '@playwright/test';
import type { Problem } from '../src/lib/api';
import { expectAccessible, expectNoSidewaysScroll } from './accessible';
import { square, step, type } from './game-page';

/** Opens a page in a separate browser context, as a different visitor. */
async function newVisitor(browser: Browser): Promise<Page> {
  return (await browser.newContext({ locale: 'fr-FR' })).newPage();
}

const password = 'le cheval correct';

async function enter(page: Page, mode: 's’inscrire' | 'se connecter', name: string): Promise<void> {
  await page.goto('/account');
  await page.getByRole('radio', { name: mode }).check();
  await page.getByLabel('Nom', { exact: true }).fill(name);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  const button = mode === 's’inscrire' ? 'Créer le compte' : 'Se connecter';
  await page.getByRole('button', { name: button, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
}

async function keepInAccount(page: Page): Promise<void> {
  await page.locator('summary', { hasText: 'Garder dans le compte' }).click();
}

const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer', exact: true });
const turn = (page: Page, text: string) => page.locator('.tree button', { hasText: text });

test('an account stores a rating and analyses, and concurrent edits lose nothing', async ({
  browser,
  request,
}) => {
  const anna = await newVisitor(browser);
  // Without an account the rating is stored in this browser.
  const { problems } = (await (await request.get('/api/problems/chess')).json()) as {
    problems: Problem[];
  };
  const [first, second] = problems.filter(
    (each) => !each.retired && each.turns === 1 && /^([a-h][1-8]){2}$/.test(each.line[0] ?? ''),
  ) as [Problem, Problem];
  const solve = async (page: Page, problem: Problem): Promise<void> => {
    await page.goto(`/problems/chess/${problem.id}`);
    // The opponent's last turn is played first; then it is the solver's turn, and hints are available.
    await expect(page.getByRole('button', { name: 'Un indice' })).toBeEnabled();
    const [line = ''] = problem.line;
    await step(page, line.slice(0, 2), line.slice(2));
    await expect(page.locator('.verdict')).toContainText('Exact');
  };
  await solve(anna, first);
  await expect(anna.getByText('Ce navigateur garde votre cote')).toBeVisible();

  const name = `Anna${Date.now() % 1_000_000_000}`;
  await enter(anna, 's’inscrire', name);
  await solve(anna, second);
  await expect(anna.getByText(/^Cote\s: 1000 → 1\d\d\d$/)).toBeVisible();
  await expect(anna.getByText('Le serveur calcule et garde votre cote')).toBeVisible();
  await expect(anna.getByText(/^1 sur \d+$/)).toBeVisible();
  await expectAccessible(anna);
  await expectNoSidewaysScroll(anna);
  const rating = (await anna.locator('dd.rating').textContent()) ?? '';
  expect(Number(rating)).toBeGreaterThan(1000);

  // Another browser shows the account's rating, and a second attempt does not count.
  const phone = await newVisitor(browser);
  await enter(phone, 'se connecter', name);
  await solve(phone, second);
  await expect(phone.locator('dd.rating')).toHaveText(rating);
  await expect(phone.getByText(/^Cote\s: /)).toHaveCount(0);

  // An analysis is saved and opened in the other browser.
  await anna.goto('/analysis/baroque');
  await type(anna, 'e2e4');
  await keepInAccount(anna);
  await expect(anna.getByLabel('Nom de l’analyse')).toHaveValue(/^Baroque, /);
  await anna.getByLabel('Nom de l’analyse').fill('Le pion pinceur');
  await save(anna).click();
  await expect(
    anna.getByText('L’analyse est enregistrée dans votre compte.').first(),
  ).toBeVisible();
  await expect(anna).toHaveURL(/\/analysis\/saved\/\w{12}#/);
  await expect(save(anna)).toBeDisabled();
  await expectAccessible(anna);
  await expectNoSidewaysScroll(anna);
  await phone.goto('/account');
  await phone.getByRole('link', { name: 'Vos analyses' }).click();
  await expect(phone).toHaveURL(/\/analysis\/saved$/);
  await expectAccessible(phone);
  await expectNoSidewaysScroll(phone);
  await phone.getByRole('link', { name: 'Le pion pinceur' }).click();
  await expect(phone.getByRole('heading', { level: 1 })).toHaveText('Le pion pinceur');
  await expect(turn(phone, 'e4')).toHaveCount(1);

  // Both browsers continue from the same version. The second one to save gets a conflict, and
  // nothing is lost.
  await type(phone, 'e2e4');
  await type(phone, 'e7e5');
  await keepInAccount(phone);
  await expect(phone.getByText('modifiée', { exact: true })).toBeVisible();
  await save(phone).click();
  await expect(phone.getByText('modifiée', { exact: true })).toHaveCount(0);
  await type(anna, 'd7d5');
  await save(anna).click();
  const notice = anna.getByText('Cette analyse a été enregistrée ailleurs entre-temps');
  await expect(notice).toBeVisible();
  await expectAccessible(anna);
  await expectNoSidewaysScroll(anna);
  // After a reload the unsaved changes are still there, and the conflict is shown again.
  await anna.reload();
  await expect(notice).toBeVisible();
  await expect(turn(anna, 'd5')).toHaveCount(1);
  await anna.getByRole('button', { name: 'Voir l’autre version' }).click();
  await expect(turn(anna, 'e5')).toHaveCount(1);
  await expect(turn(anna, 'd5')).toHaveCount(0);
  await anna.getByRole('button', { name: 'Analyse précédente' }).click();
  await expect(turn(anna, 'd5')).toHaveCount(1);
  await save(anna).click();
  await anna.getByRole('button', { name: 'Garder les deux' }).click();
  await expect(notice).toHaveCount(0);
  await expect(save(anna)).toBeDisabled();

  // The copy is renamed with the keyboard, and the original is deleted after confirmation.
  await anna.getByRole('link', { name: 'Vos analyses' }).click();
  await expect(anna.getByText('2 sur 100 possibles')).toBeVisible();
  const copy = anna.getByRole('listitem').filter({ hasText: '(copie)' });
  await copy.getByRole('button', { name: /^Renommer/ }).press('Enter');
  await anna.getByLabel('Nom de l’analyse').fill('À la française');
  await anna.getByLabel('Nom de l’analyse').press('Enter');
  await expect(anna.getByRole('link', { name: 'À la française' })).toBeVisible();
  const [file] = await Promise.all([
    anna.waitForEvent('download'),
    anna.getByRole('link', { name: 'Toutes en un fichier (PGN)' }).click(),
  ]);
  const text = await new Response((await file.createReadStream()) as unknown as BodyInit).text();
  expect(text.match(/\[Variant "Baroque"\]/g)).toHaveLength(2);
  const original = anna.getByRole('listitem').filter({ hasText: 'Le pion pinceur' });
  await original.getByRole('button', { name: 'Supprimer', exact: true }).click();
  await original.getByRole('button', { name: 'Oui, supprimer' }).click();
  await expect(original).toHaveCount(0);
  await expectAccessible(anna);
  await phone.reload();
  await expect(phone.getByText('Votre compte n’a pas cette analyse.')).toBeVisible();
});

test('visitors without an account are told to sign in to save analyses', async ({ page }) => {
  await page.goto('/analysis/chess');
  await keepInAccount(page);
  await expect(page.getByText('Connectez-vous à votre compte')).toBeVisible();
  await page.goto('/analysis/saved');
  await expect(page.getByText('Connectez-vous à votre compte')).toBeVisible();
  await expectAccessible(page);
  await page.goto('/analysis/saved/aB3dE5gH7jK9');
  await expect(page.getByText('Connectez-vous d’abord.')).toBeVisible();
  await expect(square(page, 'e2')).toHaveCount(0);
  await expectAccessible(page);
});
