/**
 * Tests the notices that reach a visitor on every page: challenges, accepted seeks, turns, and the
 * loss of the network.
 */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { expectAccessible } from './accessible';
import { openMenu } from './menu';
import { createGame, headline, join, step } from './game-page';

/** How long to wait for the first message on the visitor's socket, in milliseconds. */
const SOCKET_TIMEOUT_MS = 4_000;

async function newVisitor(browser: Browser): Promise<Page> {
  return (await browser.newContext({ locale: 'fr-FR' })).newPage();
}

/** Opens a page and waits, for a few seconds at most, for a message on the visitor's socket. */
async function openConnected(page: Page, path: string): Promise<void> {
  const opening = page.waitForEvent('websocket', (each) => each.url().includes('/api/hall/socket'));
  await page.goto(path);
  const socket = await opening;
  // The first message may have arrived before this listener was added.
  await socket.waitForEvent('framereceived', { timeout: SOCKET_TIMEOUT_MS }).catch(() => {});
}

async function register(page: Page, name: string): Promise<void> {
  await page.goto('/account');
  await page.getByRole('radio', { name: 's’inscrire' }).check();
  await page.getByLabel('Nom', { exact: true }).fill(name);
  await page.getByLabel('Mot de passe', { exact: true }).fill('le cheval correct');
  await page.getByRole('button', { name: 'Créer le compte' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
}

const notices = (page: Page) => page.getByRole('region', { name: 'Notifications' });

test('a challenge reaches a member on any page, and is answered there', async ({ browser }) => {
  const [anna, bela] = [await newVisitor(browser), await newVisitor(browser)];
  const stamp = Date.now().toString(36).slice(-6);
  await register(anna, `anna_${stamp}`);
  await register(bela, `bela_${stamp}`);
  await openConnected(bela, '/rules/baroque');
  await openConnected(anna, '/hall');
  // A click on a name in the hall fills in the form for a challenge to that member.
  await anna.getByRole('button', { name: `Défier bela_${stamp}` }).click();
  await expect(anna.getByLabel('Nom de l’adversaire')).toHaveValue(`bela_${stamp}`);
  await anna.getByRole('radio', { name: '5 + 0', exact: true }).check();
  await anna.getByRole('button', { name: 'Lancer le défi' }).click();

  const challenge = notices(bela).getByText(`anna_${stamp} vous défie`);
  await expect(challenge).toBeVisible();
  await expect(bela).toHaveTitle(/^\(1\) /);
  await expectAccessible(bela);
  // The challenge stays when the visitor goes to another page.
  await openMenu(bela);
  await bela.getByRole('link', { name: 'Problèmes' }).first().click();
  await expect(challenge).toBeVisible();
  await notices(bela).getByRole('button', { name: 'Accepter' }).click();
  for (const page of [anna, bela]) await expect(page).toHaveURL(/\/game\/\w{12}$/);
  expect(anna.url()).toBe(bela.url());
});

test('a one-click seek is accepted while its owner is reading the rules, and withdrawn when its owner leaves the site', async ({
  browser,
}) => {
  const [seeker, other] = [await newVisitor(browser), await newVisitor(browser)];
  await seeker.goto('/hall');
  await seeker.getByRole('radio', { name: 'Ultima' }).first().check();
  const tile = (page: Page) => page.getByRole('button', { name: /^15 \+ 10/ });
  await tile(seeker).click();
  await expect(tile(seeker)).toHaveAttribute('aria-pressed', 'true');
  await openMenu(seeker);
  await seeker.getByRole('link', { name: 'Règles' }).first().click();
  await expect(notices(seeker).getByText(/Vous cherchez un adversaire/)).toBeVisible();

  await other.goto('/hall');
  await other.getByRole('radio', { name: 'Ultima' }).first().check();
  await tile(other).click();
  for (const page of [seeker, other]) await expect(page).toHaveURL(/\/game\/\w{12}$/);
  expect(seeker.url()).toBe(other.url());

  // A visitor who has left the site is not paired.
  const departed = await newVisitor(browser);
  await departed.goto('/hall');
  await departed.getByRole('radio', { name: 'Ultima' }).first().check();
  const slow = departed.getByRole('button', { name: /^30 \+ 20/ });
  await slow.click();
  await expect(slow).toHaveAttribute('aria-pressed', 'true');
  await other.goto('/hall');
  const seeks = other.getByRole('region', { name: 'Propositions ouvertes' });
  await expect(seeks.getByText('30 + 20')).toBeVisible();
  await departed.context().close();
  // The offer keeps its place for a while, so that no other offer moves under the pointer.
  await expect(seeks.getByRole('button', { name: /^Plus ouverte/ })).toBeDisabled();
  await expect(seeks.getByText('30 + 20')).toHaveCount(0);
});

test('when a game starts while its host is composing a problem, a countdown begins, and the host can stay', async ({
  browser,
}) => {
  const [host, guest] = [await newVisitor(browser), await newVisitor(browser)];
  const link = await createGame(host, '', {
    variant: 'Échecs',
    opponent: 'friend',
    color: 'Blancs',
    clock: '5 + 0',
  });
  await openConnected(host, '/problems/chess/compose');
  await join(guest, link);
  const notice = notices(host);
  await expect(notice.getByText('Votre partie commence')).toBeVisible();
  await expect(notice.getByText(/La partie s’ouvre dans/)).toBeVisible();
  await notice.getByRole('button', { name: 'Rester ici' }).click();
  await expect(notice.getByText('Votre partie commence')).toHaveCount(0);
  await expect(host).toHaveURL(/compose$/);
});

test('a turn is announced on other pages, and a button opens the game', async ({ browser }) => {
  const [white, black] = [await newVisitor(browser), await newVisitor(browser)];
  const link = await createGame(white, '', {
    variant: 'Échecs',
    opponent: 'friend',
    color: 'Blancs',
  });
  await join(black, link);
  await expect(headline(white)).toHaveText('À vous de jouer');
  await openConnected(black, '/settings');
  await step(white, 'e2', 'e4');
  await expect(notices(black).getByText('C’est à vous de jouer')).toBeVisible();
  await notices(black).getByRole('button', { name: 'Aller à la partie' }).click();
  await expect(headline(black)).toHaveText('À vous de jouer');
  await expect(notices(black).getByText('C’est à vous de jouer')).toHaveCount(0);
});

test('an invitation shows its terms, can be cancelled, and says so afterwards', async ({
  browser,
}) => {
  const [host, guest] = [await newVisitor(browser), await newVisitor(browser)];
  const link = await createGame(host, '', {
    variant: 'Baroque',
    opponent: 'friend',
    color: 'Noirs',
    clock: '10 + 0',
    touchMove: true,
  });
  await guest.goto(link);
  await expect(guest.getByRole('button', { name: 'Rejoindre la partie' })).toBeVisible();
  const terms = guest.getByRole('main');
  for (const words of ['Baroque', '10 + 0', 'blancs', 'une pièce touchée doit être jouée'])
    await expect(terms.getByText(words).first()).toBeVisible();
  await expectAccessible(guest);
  await expect(headline(host)).toHaveText('En attente d’un adversaire');
  await host.getByText('Code QR').click();
  await expect(host.getByRole('img', { name: 'Code QR de l’invitation' })).toHaveJSProperty(
    'complete',
    true,
  );
  await expectAccessible(host);
  await host.getByRole('button', { name: 'Annuler l’invitation' }).click();
  await host.getByRole('button', { name: 'Confirmer l’annulation' }).click();
  await expect(guest.getByText('Cette invitation a été annulée.')).toBeVisible();
});

test('the loss of the network is reported', async ({ page }) => {
  await openConnected(page, '/games');
  await page.context().setOffline(true);
  await expect(page.getByText('Pas de réseau.')).toBeVisible();
  await expectAccessible(page);
  await page.context().setOffline(false);
  await expect(page.getByText('Pas de réseau.')).toHaveCount(0);
});

/**
 * Returns a function that cuts a page's sockets without notifying either side, and then lets three
 * seconds pass on the page's simulated clock, which does not depend on how busy the machine is.
 */
async function cutSockets(page: Page): Promise<() => Promise<void>> {
  let isCut = false;
  await page.clock.install();
  await page.routeWebSocket(/socket/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      if (!isCut) server.send(message);
    });
    server.onMessage((message) => {
      if (!isCut) socket.send(message);
    });
  });
  return async () => {
    isCut = true;
    await page.clock.runFor(3_000);
  };
}

test('an idle page reports within three seconds that the server is unreachable', async ({
  page,
}) => {
  const cut = await cutSockets(page);
  await openConnected(page, '/rules/baroque');
  await cut();
  await expect(page.getByText('Le serveur ne répond pas').first()).toBeVisible();
});

test('a game without a clock also reports that the server is unreachable', async ({ page }) => {
  const cut = await cutSockets(page);
  await createGame(page, '', { variant: 'Échecs', opponent: 'machine', color: 'Blancs' });
  await expect(headline(page)).toHaveText('À vous de jouer');
  await cut();
  await expect(page.getByText('Le serveur ne répond pas').first()).toBeVisible();
});
