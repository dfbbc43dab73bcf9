import { expect, test, type Browser, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessible';
import { createGame, join, showAll } from './game-page';
import { RestartableServer } from './server';

const password = 'un mot de passe assez long';

let server: RestartableServer;

test.beforeEach(async () => {
  server = await RestartableServer.start();
});

test.afterEach(async () => {
  await server.stop();
});

async function openVisitor(browser: Browser, dark: boolean): Promise<Page> {
  const colorScheme = dark ? 'dark' : 'light';
  return (await browser.newContext({ locale: 'fr-FR', colorScheme })).newPage();
}

async function signIn(page: Page, name: string, secret: string, shown = name): Promise<void> {
  await page.goto(`${server.url}/account`);
  await page.getByLabel('Nom', { exact: true }).fill(name);
  await page.getByLabel('Mot de passe', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Se connecter', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: shown })).toBeVisible();
}

async function checkPage(page: Page, picture: string): Promise<void> {
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.screenshot({ path: picture, fullPage: true });
}

test('a house is set up, a class is created, and a report is handled', async ({ page, browser }, {
  outputDir,
  project,
}) => {
  const isDark = project.name === 'narrow';
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });

  // After the first start, the visitor who opens the link becomes the administrator.
  const link = await server.adminLink();
  await page.goto(link);
  await expect(page.getByText('vous confie l’administration')).toBeVisible();
  await page.getByLabel('Nom', { exact: true }).fill('Sofia');
  await page.getByLabel('Mot de passe', { exact: true }).fill(password);
  await checkPage(page, `${outputDir}/join.png`);
  await page.getByRole('button', { name: 'Créer le compte' }).click();
  await expect(page).toHaveURL(/\/admin\/start$/);
  await page.getByLabel('Nom de la maison').fill('École du Fou');
  await page.getByLabel('Contact').fill('fou@example.org');
  await checkPage(page, `${outputDir}/start.png`);
  await page.getByRole('button', { name: 'Continuer' }).click();
  await expect(page.getByRole('heading', { name: 'Les inscriptions' })).toBeFocused();
  await page.getByRole('radio', { name: 'personne' }).check();
  await page.getByRole('button', { name: 'Continuer' }).click();
  await expect(page.getByRole('heading', { name: 'Les discussions' })).toBeFocused();
  await page.getByRole('button', { name: 'Continuer' }).click();
  await expect(page.getByRole('heading', { name: 'Les jeux et les cadences' })).toBeFocused();
  await page.getByRole('radio', { name: 'seulement celles-ci' }).check();
  await page.getByRole('checkbox', { name: 'sans pendule' }).uncheck();
  await checkPage(page, `${outputDir}/offer.png`);
  await page.getByRole('radio', { name: 'toutes, au choix des joueurs' }).check();
  await page.getByRole('button', { name: 'Continuer' }).click();
  await expect(page.getByRole('heading', { name: 'La maison est prête' })).toBeFocused();
  await expect(page.getByRole('link', { name: 'École du Fou' })).toBeVisible();
  await page.getByRole('link', { name: 'Ajouter une classe' }).click();

  // Thirty pupils. A duplicate name is reported before any account is created.
  const names = Array.from({ length: 30 }, (_, number) => `Élève-${number + 1}`);
  await page.getByLabel('Classe', { exact: true }).fill('CM2');
  await page.getByLabel('Prénoms, un par ligne').fill([...names, 'élève-3'].join('\n'));
  await expect(page.getByRole('alert')).toContainText(/Plusieurs fois dans la liste\s: élève-3/);
  // All mistakes are reported at once, and stay visible until the list is edited.
  await page
    .getByLabel('Prénoms, un par ligne')
    .fill([...names, 'élève-3', 'Zoé!', 'Li'].join('\n'));
  await page.getByRole('button', { name: 'Créer 33 comptes' }).click();
  for (const mistake of [/Plusieurs fois.*: élève-3/, /parenthèses\s: Zoé! \(!\)/, /courts.*: Li/])
    await expect(page.getByRole('listitem').filter({ hasText: mistake })).toBeVisible();
  // A column pasted from a spreadsheet, with empty cells.
  await page.getByLabel('Prénoms, un par ligne').fill(`\ufeff${names.join(';\r\n')};\r\n;\r\n`);
  await expect(page.getByText('Aucun compte n’a été créé')).toBeHidden();
  await page.getByRole('button', { name: 'Créer 30 comptes' }).click();
  const sheet = page.getByRole('region', { name: /^Mots de passe\s: CM2$/ });
  await expect(sheet.getByRole('row')).toHaveCount(31, { timeout: 90_000 });
  await checkPage(page, `${outputDir}/pupils.png`);
  const secretOf = async (name: string): Promise<string> => {
    const row = sheet.getByRole('row').filter({ has: page.getByText(name, { exact: true }) });
    return (await row.locator('td.mono').textContent()) ?? '';
  };
  const secrets = [await secretOf('Élève-1'), await secretOf('Élève-2')];
  expect(secrets[0]).toMatch(/^([a-z]{4}-){2}[a-z]{4}$/);

  // Leaving a sheet that was neither printed nor copied requires confirmation.
  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole('link', { name: /^Membres/ }).click();
  await expect.poll(() => questions).toEqual([expect.stringContaining('ni imprimée ni copiée')]);
  await expect(sheet.getByRole('row')).toHaveCount(31);
  await sheet.getByRole('button', { name: 'Copier la liste' }).click();
  await expect(sheet.getByRole('button', { name: 'Copié' })).toBeVisible();

  // A new sheet for two pupils.
  await page.getByText('Refaire la feuille de mots de passe').click();
  await page.getByRole('checkbox', { name: 'Toute la classe (30 élèves)' }).uncheck();
  await page.getByRole('checkbox', { name: 'Élève-1', exact: true }).check();
  await page.getByRole('checkbox', { name: 'Élève-2', exact: true }).check();
  await page.getByRole('button', { name: 'Refaire 2 mots de passe' }).click();
  await page.getByRole('button', { name: 'Oui, remplacer' }).click();
  const renewed = page.getByRole('region', { name: /^Nouveaux mots de passe\s: CM2$/ });
  await expect(renewed.getByRole('row')).toHaveCount(3, { timeout: 20_000 });
  // The first sheet keeps only the passwords that are still valid.
  await expect(sheet.getByRole('row')).toHaveCount(29);
  await checkPage(page, `${outputDir}/renewed.png`);
  const fresh = await renewed.locator('td.mono').allTextContents();
  expect(fresh).not.toContain(secrets[0]);
  secrets.splice(0, 2, ...fresh);
  await renewed.getByRole('button', { name: 'Copier la liste' }).click();

  // Other visitors cannot register, and the page says so.
  const stranger = await openVisitor(browser, isDark);
  await stranger.goto(`${server.url}/account`);
  await stranger.getByRole('radio', { name: 's’inscrire' }).check();
  await expect(stranger.getByText('Les inscriptions sont fermées ici.')).toBeVisible();
  await stranger.getByRole('link', { name: 'Données personnelles' }).click();
  await expect(stranger.getByText('fou@example.org').first()).toBeVisible();
  await checkPage(stranger, `${outputDir}/privacy.png`);

  // Two pupils play, and one of them is rude.
  const [one, other] = [await openVisitor(browser, isDark), await openVisitor(browser, isDark)];
  await signIn(one, 'Élève-1', secrets[0] ?? '');
  await signIn(other, 'Élève-2', secrets[1] ?? '');
  const invitation = await createGame(one, server.url, {
    variant: 'Échecs',
    opponent: 'friend',
    color: 'Blancs',
  });
  await join(other, invitation);
  if (isDark) {
    await showAll(one);
    await showAll(other);
  }
  await other.locator('#chat-text').fill('nul !');
  await other.keyboard.press('Enter');
  await expect(one.getByRole('log').getByText('nul !')).toBeVisible();
  await one.getByRole('log').getByRole('button', { name: 'Élève-2' }).click();
  await one.getByRole('log').getByRole('button', { name: 'Signaler une insulte' }).click();

  await page.getByRole('link', { name: /^Signalements/ }).click();
  const report = page.getByRole('article');
  await expect(report).toContainText('nul !');
  await expect(report).toContainText('Signalé par Élève-1');
  await report.getByRole('button', { name: 'Réduire Élève-2 au silence une semaine' }).click();
  await expect(report.getByLabel('Ce qui a été fait')).toHaveValue('Silence d’une semaine.');
  await checkPage(page, `${outputDir}/report.png`);
  await expect(page.getByRole('link', { name: 'Signalements (1)' })).toBeVisible();
  await report.getByRole('button', { name: 'Signalement fondé' }).click();
  await expect(page.getByText('Aucun signalement à traiter.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Signalements', exact: true })).toBeVisible();

  // A pupil, who has no e-mail address, gets a new password.
  await page.getByRole('link', { name: /^Membres/ }).click();
  await page.getByLabel('Chercher un nom').fill('élève-30');
  await page.getByText('Élève-30').click();
  await page.getByRole('button', { name: 'Nouveau mot de passe' }).click();
  const single = page
    .getByRole('region', { name: /^Nouveaux mots de passe\s: Élève-30$/ })
    .locator('td.mono');
  await expect(single).toHaveText(/^([a-z]{4}-){2}[a-z]{4}$/);
  await page.getByRole('button', { name: 'Copier la liste' }).click();
  await checkPage(page, `${outputDir}/member.png`);
  const pupil = await openVisitor(browser, isDark);
  await signIn(pupil, 'eleve-30', (await single.textContent()) ?? '', 'Élève-30');

  await page.getByRole('link', { name: 'Registre' }).click();
  await expect(page.getByText(/a ajouté des élèves\s:/)).toBeVisible();
  await page.getByRole('button', { name: 'Vérifier le registre' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'toutes en ordre' })).toBeVisible();
  await checkPage(page, `${outputDir}/audit.png`);
  for (const [name, picture] of [
    ['Aperçu', 'overview'],
    ['Parties', 'games'],
    ['Réglages de la maison', 'settings'],
    ['Pages légales', 'pages'],
  ] as const) {
    const sections = page.getByRole('navigation', { name: 'Administration' });
    await sections.getByRole('link', { name, exact: true }).click();
    await expect(page.getByText('Chargement…')).toHaveCount(0);
    await checkPage(page, `${outputDir}/${picture}.png`);
  }
});
