import { expect, test, type Browser, type Page } from '@playwright/test';
import { expectAccessible } from './accessible';
import {
  createGame,
  createGameInForm,
  expectPly,
  expectResult,
  headline,
  join,
  showAll,
  square,
  step,
  type NewGame,
} from './game-page';

/** Opens a page in a separate browser context, as a different visitor. */
async function newVisitor(browser: Browser): Promise<Page> {
  return (await browser.newContext({ locale: 'fr-FR' })).newPage();
}

/** Creates a game between two browsers and returns their pages. */
async function createTwoPlayerGame(
  browser: Browser,
  game: Partial<NewGame> = {},
  create = createGame,
): Promise<{ white: Page; black: Page }> {
  const [white, black] = [await newVisitor(browser), await newVisitor(browser)];
  const link = await create(white, '', {
    variant: 'Échecs',
    opponent: 'friend',
    color: 'Blancs',
    ...game,
  });
  await join(black, link);
  await expect(headline(black)).toHaveText('À l’adversaire de jouer');
  await expect(headline(white)).toHaveText('À vous de jouer');
  return { white, black };
}

/** Clicks a button whose action has to be confirmed, and then the confirmation. */
async function clickAndConfirm(page: Page, first: string, second: string): Promise<void> {
  await page.getByRole('button', { name: first, exact: true }).click();
  await page.getByRole('button', { name: second, exact: true }).click();
}

test('two people play with clocks and touch-move, one loses the connection, and a third person watches', async ({
  browser,
}) => {
  const settings = { clock: '5 + 3', touchMove: true };
  const { white, black } = await createTwoPlayerGame(browser, settings, createGameInForm);
  const spectator = await newVisitor(browser);
  await spectator.goto(white.url());
  await expect(spectator.locator('[data-clock="white"]')).toHaveText('5:00');
  await showAll(white);
  await expect(white.getByText('1 spectateur')).toBeVisible();

  // White touches the knight. Both players and the spectator are notified, and White cannot move
  // any other piece.
  await square(white, 'g1').click();
  const bound = /cavalier blanc en g1/;
  await expect(white.getByLabel('Pièce touchée', { exact: false }).getByText(bound)).toBeVisible();
  await expect(black.getByText(bound).first()).toBeVisible();
  await expect(spectator.getByText(bound).first()).toBeVisible();
  await step(white, 'e2', 'e4');
  await expect(white.locator('[data-ply="1"]')).toHaveCount(0);
  await expectAccessible(white);
  await step(white, 'g1', 'f3');
  for (const page of [black, spectator]) await expectPly(page, 1);

  // After “J’adoube” the touch is not binding.
  await black.getByRole('button', { name: 'J’adoube' }).click();
  await expect(white.getByText(/les Noirs adoubent/).first()).toBeVisible();
  await square(black, 'b8').click();
  await expect(black.locator('[data-touched]')).toHaveCount(0);
  await step(black, 'e7', 'e5');
  for (const page of [white, spectator]) await expectPly(page, 2);
  await expect(white.locator('[data-clock="white"]')).toHaveClass(/runs/);

  await black.context().setOffline(true);
  await step(white, 'e2', 'e4');
  await expectPly(spectator, 3);
  await expect(white.getByText(/n’est pas là/)).toBeVisible({ timeout: 60_000 });
  await black.context().setOffline(false);
  await expectPly(black, 3);
  await expect(white.getByText(/n’est pas là/)).toHaveCount(0);

  await clickAndConfirm(white, 'Abandonner', 'Confirmer l’abandon');
  for (const [page, result] of [
    [white, 'Vous avez perdu'],
    [black, 'Vous avez gagné'],
    [spectator, 'Les Noirs gagnent'],
  ] as const) {
    await expectResult(page, result, 'abandon');
    await expect(page.locator('[data-fallen]')).toHaveAttribute('data-square', 'e1');
  }
});

test('a silent server is reported to a player within three seconds', async ({ browser }) => {
  const white = await newVisitor(browser);
  await white.clock.install();
  let isLost = false;
  // Once `isLost` is set, the network drops all messages without notifying either side.
  await white.routeWebSocket(/\/api\/games\/[^/]+\/socket/, (page) => {
    const server = page.connectToServer();
    page.onMessage((message) => {
      if (!isLost) server.send(message);
    });
    server.onMessage((message) => {
      if (!isLost) page.send(message);
    });
  });
  const link = await createGame(white, '', {
    variant: 'Échecs',
    opponent: 'friend',
    color: 'Blancs',
    clock: '5 + 3',
  });
  const black = await newVisitor(browser);
  await join(black, link);
  await step(white, 'e2', 'e4');
  await expectPly(black, 1);
  await expect(white.getByText('Le serveur ne répond pas…')).toHaveCount(0);

  isLost = true;
  await white.clock.runFor(3_000);
  await expect(white.getByText('Le serveur ne répond pas…').first()).toBeVisible();
  isLost = false;
  await expect(white.getByText('Le serveur ne répond pas…')).toHaveCount(0, { timeout: 15_000 });
});

test('offers are answered by the other player', async ({ browser }) => {
  const { white, black } = await createTwoPlayerGame(browser);
  await step(white, 'e2', 'e4');
  await expectPly(black, 1);
  await step(black, 'e7', 'e5');
  await expectPly(white, 2);

  await clickAndConfirm(white, 'Reprendre le coup', 'Demander à reprendre');
  await black.getByRole('button', { name: 'Refuser' }).click();
  await expect(white.getByText('La reprise du coup est refusée.').first()).toBeVisible();
  await step(white, 'd2', 'd4');
  await expectPly(black, 3);
  await clickAndConfirm(white, 'Reprendre le coup', 'Demander à reprendre');
  await black.getByRole('button', { name: 'Accorder la reprise' }).click();
  await expectPly(white, 2);
  await expectPly(black, 2);

  await clickAndConfirm(white, 'Proposer nulle', 'Confirmer la proposition');
  await expect(black.getByText('L’adversaire propose nulle.').first()).toBeVisible();
  await clickAndConfirm(black, 'Accepter', 'Faire nulle');
  await expectResult(white, 'Partie nulle', 'accord mutuel');

  await white.getByRole('button', { name: 'Revanche' }).click();
  await expect(black).toHaveTitle(/^● Proposition · /);
  await black.getByRole('button', { name: 'Revanche' }).click();
  await expect(headline(black)).toHaveText('À vous de jouer');
  await expect(headline(white)).toHaveText('À l’adversaire de jouer');

  await clickAndConfirm(black, 'Annuler la partie', 'Confirmer l’annulation');
  await expectResult(white, 'Partie annulée', 'l’un des camps n’avait pas encore joué');
});

test('a premove is played at once or discarded', async ({ browser }) => {
  const { white, black } = await createTwoPlayerGame(browser);
  await step(white, 'e2', 'e4');
  await expectPly(black, 1);
  const plan = white.getByRole('region', { name: 'Coup d’avance' });

  await step(white, 'g1', 'f3');
  await expect(plan).toContainText('g1 → f3');
  await square(white, 'd5').click({ button: 'right' });
  await expect(plan).toHaveCount(0);
  await step(white, 'g1', 'f3', 'keyboard');
  await expect(plan).toBeVisible();
  await square(white, 'd6').click();
  await expect(plan).toHaveCount(0);

  await step(white, 'e4', 'd5', 'drag');
  await expect(plan).toContainText('e4 → d5');
  await step(black, 'd7', 'd5');
  await expectPly(black, 3);
  await expect(black.locator('[data-ply="3"]')).toHaveText('exd5');

  await step(white, 'd5', 'e6');
  await expect(plan).toContainText('d5 → e6');
  await step(black, 'c7', 'c5');
  await expect(white.getByText('Le coup d’avance n’était plus possible.').first()).toBeVisible();
  await expectPly(black, 4);
});

test('players and spectators have separate chats', async ({ browser }) => {
  const { white, black } = await createTwoPlayerGame(browser);
  const spectator = await newVisitor(browser);
  await spectator.goto(white.url());
  for (const page of [white, black, spectator]) await showAll(page);
  const say = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Écrire un message').fill(text);
    await page.getByRole('button', { name: 'Envoyer', exact: true }).click();
  };
  await say(white, 'Bonne partie <b>à vous</b> !');
  await expect(black.getByText('Bonne partie <b>à vous</b> !')).toBeVisible();
  await say(spectator, 'Personne ne m’entend.');
  await expect(spectator.getByText('Personne ne m’entend.')).toBeVisible();
  await expect(white.getByText('Personne ne m’entend.')).toHaveCount(0);
  await black.getByRole('button', { name: 'Les Blancs', exact: true }).click();
  await black.getByRole('button', { name: 'Masquer' }).click();
  await expect(black.getByText('Bonne partie <b>à vous</b> !')).toHaveCount(0);
});

test('a chat message that is out of sight is counted on a button that leads to it', async ({
  browser,
}) => {
  const { white, black } = await createTwoPlayerGame(browser);
  await showAll(white);
  await black.setViewportSize({ width: 740, height: 360 });
  await black.evaluate(() => window.scrollTo(0, 0));
  await white.getByLabel('Écrire un message').fill('Bonne partie !');
  await white.getByRole('button', { name: 'Envoyer', exact: true }).click();
  await black.getByRole('button', { name: 'Discussion (1)' }).click();
  await expect(black.getByText('Bonne partie !')).toBeInViewport();
  await expect(black.getByRole('button', { name: 'Discussion', exact: true })).toBeVisible();
  // A visitor is not notified of their own messages.
  await expect(white.getByRole('button', { name: 'Discussion', exact: true })).toBeVisible();
});

test('a seek is accepted with one click, and both players are taken to the game', async ({
  browser,
}) => {
  const [seeker, other] = [await newVisitor(browser), await newVisitor(browser)];
  await other.setViewportSize({ width: 360, height: 740 });
  await seeker.goto('/');
  await seeker.getByRole('radio', { name: /Baroque/ }).check();
  await seeker.getByRole('radio', { name: 'n’importe quel adversaire' }).check();
  await seeker.getByRole('radio', { name: '10 + 5', exact: true }).check();
  await seeker.getByRole('button', { name: 'Proposer dans la salle' }).click();
  await expect(seeker).toHaveURL(/\/hall$/);
  await expect(seeker.getByRole('button', { name: 'Retirer' })).toBeVisible();
  // Filters are shown only if there are more offers than can be read at a glance.
  for (let offers = 1; offers < 4; offers += 1) {
    const chess = { command: crypto.randomUUID(), color: 'white', variant: 'chess' };
    const response = await seeker.request.post('/api/seeks', { data: chess });
    expect(response.ok(), await response.text()).toBe(true);
  }

  await other.goto('/hall');
  const seeks = other.getByRole('region', { name: 'Propositions ouvertes' });
  const seek = seeks.getByRole('listitem').filter({ hasText: '10 + 5' }).first();
  await expect(seek).toContainText('Baroque');
  // Offers that come and go leave the others where they are.
  const top = (await seek.boundingBox())?.y;
  const added = await seeker.request.post('/api/seeks', {
    data: { command: crypto.randomUUID(), color: 'black', variant: 'chess' },
  });
  expect(added.ok(), await added.text()).toBe(true);
  await expect(seeks.getByRole('listitem')).toHaveCount(5);
  const { id } = (await added.json()) as { id: string };
  expect((await seeker.request.delete(`/api/seeks/${id}`)).ok()).toBe(true);
  await expect(seeks.getByRole('button', { name: /^Plus ouverte/ })).toBeDisabled();
  expect((await seek.boundingBox())?.y).toBe(top);
  await seeks.getByRole('radio', { name: 'Échecs' }).check();
  await expect(seek).toHaveCount(0);
  await seeks.getByRole('radio', { name: 'Baroque' }).check();
  await seek.getByRole('button', { name: 'Jouer' }).click();
  for (const page of [seeker, other]) await expect(page).toHaveURL(/\/game\/\w{12}$/);
  expect(seeker.url()).toBe(other.url());
});

test('members play a correspondence game with conditional moves', async ({ browser }) => {
  const [anna, bela] = [await newVisitor(browser), await newVisitor(browser)];
  const stamp = Date.now().toString(36).slice(-6);
  const names = { anna: `anna_${stamp}`, bela: `bela_${stamp}` };
  for (const [page, name] of [
    [anna, names.anna],
    [bela, names.bela],
  ] as const) {
    await page.goto('/account');
    await page.getByRole('radio', { name: 's’inscrire' }).check();
    await page.getByLabel('Nom', { exact: true }).fill(name);
    await page.getByLabel('Mot de passe', { exact: true }).fill('le cheval correct');
    await page.getByRole('button', { name: 'Créer le compte' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
    await expectAccessible(page);
  }
  await bela.goto('/hall');
  await anna.goto('/');
  await anna.getByRole('radio', { name: 'un membre, par son nom' }).check();
  // The field suggests the names of the members who are present, except the visitor's own.
  await expect(anna.locator(`datalist option[value="${names.bela}"]`)).toHaveCount(1);
  await expect(anna.locator(`datalist option[value="${names.anna}"]`)).toHaveCount(0);
  await anna.getByLabel('Nom de l’adversaire').fill(names.bela);
  await anna.getByRole('radio', { name: 'Blancs', exact: true }).check();
  await anna.getByRole('radio', { name: '3 jours par coup' }).check();
  await anna.getByRole('button', { name: 'Lancer le défi' }).click();
  await expect(anna).toHaveURL(/\/hall$/);
  await bela.getByRole('button', { name: 'Accepter' }).click();
  for (const page of [anna, bela]) await expect(page).toHaveURL(/\/game\/\w{12}$/);

  // In a correspondence game a move is sent only after confirmation.
  await step(anna, 'e2', 'e4');
  await expect(bela.locator('[data-ply="1"]')).toHaveCount(0);
  await anna.getByRole('button', { name: 'Jouer ce coup' }).click();
  await expectPly(bela, 1);
  await showAll(anna);
  await anna.getByText('Coups conditionnels').click();
  await anna.getByLabel('Si l’adversaire joue').fill('e5');
  await anna.getByLabel('je réponds').fill('Cf3');
  await anna.getByRole('button', { name: 'Ajouter' }).click();
  await expect(anna.getByText('Si e5, alors Cf3')).toBeVisible();
  // A new condition applies to the same position, unless the player continues a line.
  await anna.getByLabel('Si l’adversaire joue').fill('c5');
  await anna.getByLabel('je réponds').fill('Cxf3');
  await anna.getByRole('button', { name: 'Ajouter' }).click();
  await expect(anna.getByText('« Cxf3 » n’est pas un coup légal ici.')).toBeVisible();
  await anna.getByLabel('je réponds').fill('Cc3');
  await anna.getByRole('button', { name: 'Ajouter' }).click();
  const alternative = anna.getByRole('listitem').filter({ hasText: 'Si c5, alors Cc3' });
  await alternative.getByRole('button', { name: 'continuer à partir d’ici' }).click();
  await expect(anna.getByText('Après « Si c5, alors Cc3 »')).toBeVisible();
  await anna.getByLabel('Si l’adversaire joue').fill('Cc6');
  await anna.getByLabel('je réponds').fill('g3');
  await anna.getByRole('button', { name: 'Ajouter' }).click();
  await expect(anna.getByText('Si Cc6, alors g3')).toBeVisible();
  await expectAccessible(anna);
  await anna.getByRole('button', { name: 'revenir à la position de la partie' }).click();
  await expect(anna.getByText('Après « Si c5, alors Cc3 »')).toHaveCount(0);

  await step(bela, 'e7', 'e5');
  await bela.getByRole('button', { name: 'Jouer ce coup' }).click();
  await expectPly(bela, 3);
  await expect(bela.locator('[data-ply="3"]')).toHaveText('Cf3');

  await bela.goto('/games');
  await expect(bela.getByRole('link', { name: 'Partie suivante' })).toBeVisible();
  await expect(bela.getByText(names.anna)).toBeVisible();
});
