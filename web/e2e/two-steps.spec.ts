import { createHmac } from 'node:crypto';
import { expect, test, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessible';

const password = 'un mot de passe assez long';

/**
 * Computes the code that an authenticator app will show `ahead` periods of 30 s from now,
 * independently of the server (RFC 6238).
 */
function appCode(key: string, ahead: number): string {
  const bits = [...key.replaceAll(' ', '')]
    .map((letter) =>
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
    )
    .join('');
  const secret = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + ahead));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const at = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(at) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}

async function signIn(page: Page, name: string): Promise<void> {
  await page.goto('/account');
  await page.getByLabel('Nom', { exact: true }).fill(name);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click();
}

test('an account with two-step sign-in requires a code from an app', async ({ browser }, {
  outputDir,
  project,
}) => {
  // Tests one colour scheme for each screen size.
  const colorScheme = project.name === 'narrow' ? 'dark' : 'light';
  const view = { locale: 'fr-FR', colorScheme } as const;
  const page = await (await browser.newContext(view)).newPage();
  const name = `Deux${Date.now().toString(36).slice(-6)}`;
  await page.goto('/account');
  await page.getByRole('radio', { name: 's’inscrire' }).check();
  await page.getByLabel('Nom', { exact: true }).fill(name);
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Créer le compte' }).click();

  const steps = page.getByRole('region', { name: 'Connexion en deux étapes' });
  await steps.getByLabel('Mot de passe actuel').fill(password);
  await steps.getByRole('button', { name: 'Préparer' }).click();
  const picture = steps.getByRole('img', { name: 'Code QR de la clé ci-dessous' });
  await expect(picture).toBeVisible();
  const size = await picture.evaluate((image: HTMLImageElement) => image.naturalWidth);
  expect(size).toBeGreaterThan(150);
  const key = (await steps.locator('code').textContent()) ?? '';
  expect(key).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.screenshot({ path: `${outputDir}/set-up.png`, fullPage: true });

  await expect(steps.getByText('Scannez ceci')).toBeFocused();
  const code = steps.getByLabel('Code que montre l’application');
  await code.fill('000 000');
  await steps.getByRole('button', { name: 'Activer' }).click();
  await expect(steps.getByRole('alert')).toContainText('Ce code n’est pas le bon');
  await code.fill(appCode(key, 0).replace(/^.../, '$& '));
  await code.press('Enter');
  await expect(steps.getByRole('listitem')).toHaveCount(10);
  const codes = await steps.getByRole('listitem').allTextContents();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    steps.getByRole('link', { name: 'Enregistrer un fichier' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe(`adoube-${name}-codes.txt`);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.screenshot({ path: `${outputDir}/codes.png`, fullPage: true });
  await steps.getByRole('button', { name: 'Je les ai gardés' }).click();
  await expect(steps).toContainText('Il reste 10 codes de secours');

  // Sign in again with the password and an unused code from the app.
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await signIn(page, name);
  await expect(page.getByText('Ce compte demande aussi un code')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  await page.getByLabel('Code', { exact: true }).fill(appCode(key, -9));
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click();
  await expect(page.getByRole('alert')).toContainText('Ce code n’est pas le bon');
  await expectAccessible(page);
  await page.screenshot({ path: `${outputDir}/sign-in.png`, fullPage: true });
  await page.getByLabel('Code', { exact: true }).fill(appCode(key, 1));
  await page.getByLabel('Code', { exact: true }).press('Enter');
  await expect(page.getByRole('heading', { name })).toBeVisible();

  // Sign in elsewhere, with a recovery code instead of the app.
  const other = await (await browser.newContext(view)).newPage();
  await signIn(other, name);
  await other.getByLabel('Code', { exact: true }).fill(codes[4]?.toLowerCase() ?? '');
  await other.getByRole('button', { name: 'Se connecter', exact: true }).click();
  const panel = other.getByRole('region', { name: 'Connexion en deux étapes' });
  await expect(panel).toContainText('Il reste 9 codes de secours');
  await panel.getByLabel('Mot de passe actuel').fill(password);
  await panel.getByLabel('Code', { exact: true }).fill(codes[5] ?? '');
  await panel.getByRole('button', { name: 'Nouveaux codes de secours' }).click();
  await expect(panel.getByRole('listitem')).toHaveCount(10);
  const renewed = await panel.getByRole('listitem').allTextContents();
  await panel.getByRole('button', { name: 'Je les ai gardés' }).click();

  await panel.getByLabel('Mot de passe actuel').fill(password);
  await panel.getByLabel('Code', { exact: true }).fill(renewed[0] ?? '');
  await other.screenshot({ path: `${outputDir}/on.png`, fullPage: true });
  await panel.getByRole('button', { name: 'Désactiver', exact: true }).click();
  await panel.getByRole('button', { name: 'Oui, désactiver' }).click();
  await expect(panel.getByRole('status')).toHaveText('La connexion en deux étapes est désactivée.');
  await expect(panel.getByRole('button', { name: 'Préparer' })).toBeVisible();
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  await signIn(page, name);
  await expect(page.getByRole('heading', { name })).toBeVisible();
});
