import { expect, test, type Browser, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessible';
import { RestartableServer } from './server';

// A position can be published only once per server, so each test starts its own server.
let server: RestartableServer;

test.beforeEach(async () => {
  server = await RestartableServer.start();
});

test.afterEach(async () => {
  await server.stop();
});

/**
 * A mate in two with one solution: knight to f6, and then the rook mates wherever the king goes.
 */
const sound = '8/7k/8/3N1KR1/8/8/8/8 w - - 0 1';

const square = (page: Page, name: string) => page.locator(`button[data-square="${name}"]`);

/** Plays a turn given in coordinate notation, one step of a chain after another. */
async function play(page: Page, turn: string): Promise<void> {
  for (const name of turn.match(/[a-h][1-8]/g) ?? []) await square(page, name).click();
}

async function register(page: Page, name: string): Promise<void> {
  await page.goto(`${server.url}/account`);
  await page.getByRole('radio', { name: 's’inscrire' }).check();
  await page.getByLabel('Nom', { exact: true }).fill(name);
  await page.getByLabel('Mot de passe', { exact: true }).fill('le cheval correct');
  await page.getByRole('button', { name: 'Créer le compte' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
}

async function newVisitor(browser: Browser): Promise<Page> {
  return (await browser.newContext({ locale: 'fr-FR' })).newPage();
}

/** Loads a position from its FEN and continues to the goal and the solution. */
async function setUp(page: Page, fen: string): Promise<void> {
  await page.getByLabel('Partir d’une FEN').fill(fen);
  await page.getByRole('button', { name: 'Mettre en place' }).click();
  await page.getByRole('button', { name: 'Utiliser cette position' }).click();
  await expect(page.getByRole('heading', { name: 'La solution' })).toBeVisible();
}

async function setTurns(page: Page, turns: number): Promise<void> {
  await page.getByLabel('Coups', { exact: true }).fill(String(turns));
  await page.getByLabel('Coups', { exact: true }).blur();
}

const prove = (page: Page) => page.getByRole('button', { name: 'Prouver' }).click();

test('a sound mate is composed, proved and published, and another person finds and solves it', async ({
  page: anna,
  browser,
}) => {
  await register(anna, 'Anna');
  await anna.goto(`${server.url}/problems/chess`);
  await expect(anna.getByText('Personne n’en a encore publié')).toBeVisible();
  await anna.getByRole('link', { name: 'Composer un problème' }).click();
  await expect(anna.getByRole('heading', { level: 1 })).toContainText('Composer');
  await expectAccessible(anna);
  await expectNoSidewaysScroll(anna);
  await setUp(anna, sound);
  await expect(anna.getByText('Matez en 2 coups.')).toBeVisible();
  await play(anna, 'd5f6');
  await play(anna, 'h7h8');
  await play(anna, 'g5g8');
  await expect(
    anna.getByRole('button', { name: '1. Cf6+ Rh8 2. Tg8#', exact: true }),
  ).toBeVisible();
  await prove(anna);
  await expect(anna.getByText('C’est prouvé')).toBeVisible();
  const tree = anna.getByRole('region', { name: 'La solution entière' });
  await expect(tree).toContainText('1… Rh8 2. Tg8#');
  await expect(tree).toContainText('1… Rh6 2. Tg6#');
  await expectAccessible(anna);
  await expectNoSidewaysScroll(anna);
  await anna.getByLabel('Titre (facultatif)').fill('Nocturne <b>');
  await anna.getByRole('button', { name: 'Publier' }).click();
  await expect(anna).toHaveURL(/\/problems\/chess\/[A-Za-z0-9]{12}$/);
  await expect(anna.locator('cite')).toHaveText('Nocturne <b>');

  // Everything that was acknowledged survives a crash of the process.
  await server.kill();
  await server.restart();

  const bela = await newVisitor(browser);
  await bela.goto(`${server.url}/problems/chess`);
  const entry = bela.getByRole('link', { name: /Nocturne <b>/ });
  await expect(entry).toContainText('par Anna');
  await expect(entry).toContainText('Matez en 2 coups.');
  await entry.click();
  await expect(bela.locator('cite')).toHaveText('Nocturne <b>');
  await expect(bela.getByText('prouvé, sans cote')).toBeVisible();
  await expectAccessible(bela);
  await expectNoSidewaysScroll(bela);
  await expect(bela.getByRole('button', { name: 'Retirer ce problème' })).toHaveCount(0);
  await play(bela, 'd5f6');
  await expect(bela.locator('.verdict')).toContainText(/L’adversaire répond R/);
  const verdict = (await bela.locator('.verdict').textContent()) ?? '';
  const [, rank] = /répond Rh([68])/.exec(verdict) ?? [];
  await play(bela, rank === '8' ? 'g5g8' : 'g5g6');
  await expect(bela.locator('.verdict')).toContainText('Exact');
  await expect(bela.getByRole('region', { name: 'La solution entière' })).toBeVisible();
  await expect(bela.locator('dd.rating')).toHaveText('1000');

  // Composing the same position again is refused.
  await bela.goto(`${server.url}/problems/chess/compose#fen=${encodeURIComponent(sound)}`);
  await bela.getByRole('button', { name: 'Utiliser cette position' }).click();
  await prove(bela);
  await expect(bela.getByText('Cette position figure déjà dans un problème')).toBeVisible();
  await expect(bela.getByRole('link', { name: 'Voir ce problème' })).toHaveAttribute(
    'href',
    new URL(anna.url()).pathname,
  );

  await anna.reload();
  await anna.getByRole('button', { name: 'Retirer ce problème' }).click();
  await anna.getByRole('button', { name: 'Oui, retirer' }).click();
  await expect(anna).toHaveURL(/\/problems\/chess$/);
  await expect(anna.getByText('Personne n’en a encore publié')).toBeVisible();
  await bela.goto(anna.url());
  await expect(bela.getByText('Personne n’en a encore publié')).toBeVisible();
});

test('a second solution to a position set up by hand is shown on the board and in text', async ({
  page,
}) => {
  await page.goto(`${server.url}/problems/chess/compose`);
  for (const [man, where] of [
    ['roi noir', 'h8'],
    ['dame blanche', 'e7'],
    ['roi blanc', 'f5'],
    ['cavalier blanc', 'f6'],
  ] as const) {
    await page.getByRole('radio', { name: man }).check();
    await square(page, where).click();
  }
  await page.getByRole('button', { name: 'Utiliser cette position' }).click();
  await setTurns(page, 1);
  await expect(page.getByText('Matez en un coup.')).toBeVisible();
  await play(page, 'e7h7');
  await prove(page);
  await expect(page.getByText('Il y a une autre solution')).toBeVisible();
  await expect(page.getByText('Dh7# mène au but, mais ceci aussi')).toBeVisible();
  await expect(page.getByRole('button', { name: '1. Df8#' })).toBeVisible();
  await expect(page.locator('[data-drawing="shift-e7-f8"]')).toHaveCount(1);
  await expect(page.locator('[data-drawing="plain-e7-h7"]')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Publier' })).toHaveCount(0);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  // The line in the report can be shown on the board.
  await page.getByRole('button', { name: '1. Df8#' }).click();
  await expect(square(page, 'f8')).toHaveAttribute('aria-label', /dame/);
});

test('a wrong solution is reported together with a right one', async ({ page }) => {
  await page.goto(`${server.url}/problems/chess/compose#fen=${encodeURIComponent(sound)}`);
  await page.getByRole('button', { name: 'Utiliser cette position' }).click();
  await play(page, 'd5e7');
  await prove(page);
  await expect(page.getByText('Ce7 ne mène pas au but')).toBeVisible();
  await expect(page.getByText(/L’adversaire répond R/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^1\. Cf6\+ R/ })).toBeVisible();
  await expect(page.locator('[data-drawing^="shift-h7-"]')).toHaveCount(1);

  await page.getByRole('button', { name: 'Retirer la ligne 1. Ce7' }).click();
  await setTurns(page, 3);
  await prove(page);
  await expect(page.getByText('Le but peut être atteint plus tôt')).toBeVisible();
  await setTurns(page, 1);
  await prove(page);
  await expect(page.getByText('Rien ne gagne en un coup.')).toBeVisible();
  await setTurns(page, 2);
  await prove(page);
  await expect(page.getByText('C’est prouvé')).toBeVisible();
  // Guests may run the proof, but publishing requires an account.
  await expect(page.getByText('Pour publier, il faut un compte')).toBeVisible();
});

test('an invalid position is explained', async ({ page }) => {
  await page.goto(`${server.url}/problems/chess/compose`);
  await page.getByLabel('Partir d’une FEN').fill('8/8/8/8/8/8/8/Q3K3 w - - 0 1');
  await page.getByRole('button', { name: 'Mettre en place' }).click();
  await expect(page.getByText('Les Noirs n’ont pas de roi')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Utiliser cette position' })).toBeDisabled();
  await page.getByLabel('Partir d’une FEN').fill('qqqqqqqq/qqqqqqqq/qk6/8/8/8/8/4K3 w - - 0 1');
  await page.getByRole('button', { name: 'Mettre en place' }).click();
  await expect(page.getByText('Les Noirs ont 18 pièces')).toBeVisible();
  await page.goto(`${server.url}/problems/interweave/compose`);
  // A composition cannot start in the middle of a chain.
  await page.getByLabel('Partir d’une FEN').fill('6kk/8/8/8/8/Nr6/8/6KK[] w - - 0 1 a3');
  await page.getByRole('button', { name: 'Mettre en place' }).click();
  await expect(page.getByText('« a3 » est de trop à la fin de la FEN.')).toBeVisible();
});

test('an Interweave chain is composed and published, and its solution is shown', async ({
  page,
}) => {
  const fen = '3kkn2/3N2RR/8/3n4/1p1p4/5P2/4P3/3KK3[NBBrrbb] b - - 0 1';
  await register(page, 'Clara');
  await page.goto(`${server.url}/problems/interweave/compose#fen=${encodeURIComponent(fen)}`);
  await page.getByRole('button', { name: 'Utiliser cette position' }).click();
  await expect(page.getByText('Gagnez en 2 coups.')).toBeVisible();
  await play(page, 'f8f2d2');
  await prove(page);
  await expect(page.getByText('C’est prouvé')).toBeVisible();
  await page.getByRole('button', { name: 'Publier' }).click();
  await expect(page.locator('cite')).toHaveText('Sans titre');
  await page.getByRole('button', { name: 'Voir la solution' }).click();
  await expect(page.getByRole('region', { name: 'La solution entière' })).toBeVisible();
});
