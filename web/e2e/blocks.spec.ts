import { expect, test, type Browser, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessible';

const password = 'un mot de passe assez long';

/** Registers a member under a name that no other test uses. */
async function register(browser: Browser, base: string, name: string): Promise<[Page, string]> {
  const page = await (await browser.newContext({ locale: 'fr-FR' })).newPage();
  const unique = `${name}-${Math.random().toString(36).slice(2, 8)}`;
  await page.goto(`${base}/account`);
  await page.getByRole('radio', { name: 's’inscrire' }).check();
  await page.getByLabel('Nom', { exact: true }).fill(unique);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Créer le compte' }).click();
  await expect(page.getByRole('heading', { level: 1, name: unique })).toBeVisible();
  return [page, unique];
}

test('a member blocks and unblocks another, and hides from everybody', async ({
  browser,
  baseURL,
}, { outputDir }) => {
  const base = baseURL ?? '';
  const [anna, annaName] = await register(browser, base, 'Anna');
  const [eve, eveName] = await register(browser, base, 'Eve');
  await eve.goto(`${base}/hall`);
  const present = eve.getByRole('button', { name: `Défier ${annaName}` });
  await expect(present).toBeVisible();

  const privacy = anna.getByRole('region', { name: 'Qui me voit, qui m’écrit' });
  await privacy.getByLabel('Nom du compte à bloquer').fill(eveName);
  await privacy.getByRole('button', { name: 'Bloquer', exact: true }).click();
  await expect(privacy.getByText(`Le compte ${eveName} est bloqué.`)).toBeVisible();
  await expectAccessible(anna);
  await expectNoSidewaysScroll(anna);
  await anna.screenshot({ path: `${outputDir}/privacy.png`, fullPage: true });
  // The other member's page is updated at once.
  await expect(present).toBeHidden();
  await eve.goto(base);
  await eve.getByRole('radio', { name: 'un membre, par son nom' }).check();
  await eve.getByLabel('Nom de l’adversaire', { exact: true }).fill(annaName);
  await eve.getByRole('button', { name: 'Lancer le défi' }).click();
  await expect(eve.getByRole('alert')).toContainText('ne reçoit de vous ni défis ni messages');

  await privacy.getByRole('button', { name: `Débloquer ${eveName}` }).click();
  await expect(privacy.getByText(`Le compte ${eveName} n’est plus bloqué.`)).toBeVisible();
  await eve.goto(`${base}/hall`);
  await expect(present).toBeVisible();
  await privacy.getByRole('radio', { name: 'personne' }).check();
  await expect(present).toBeHidden();

  // A member can also respond to a challenge by blocking the challenger.
  await eve.goto(base);
  await eve.getByRole('radio', { name: 'un membre, par son nom' }).check();
  await eve.getByLabel('Nom de l’adversaire', { exact: true }).fill(annaName);
  await eve.getByRole('button', { name: 'Lancer le défi' }).click();
  await anna.goto(`${base}/hall`);
  await anna.getByRole('button', { name: 'Bloquer', exact: true }).click();
  await anna.getByRole('button', { name: `Oui, bloquer ${eveName}` }).click();
  await expect(anna.getByRole('heading', { name: 'On vous défie' })).toBeHidden();
});
