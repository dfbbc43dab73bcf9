import { expect, test, type BrowserContext } from '@playwright/test';
import { RestartableServer } from './server';
import { createGameInForm, expectPly, headline, join, step } from './game-page';
import { openMenu } from './menu';

const path = '/jeux/echecs';
let server: RestartableServer;

test.use({ serviceWorkers: 'allow' });

test.beforeEach(async () => {
  server = await RestartableServer.start((url) => ({ ADOUBE_PUBLIC_ORIGIN: url + path }));
});

test.afterEach(async () => {
  await server.stop();
});

/**
 * Starts recording a browser's requests and sockets whose URLs are outside the house. Returns the
 * list to which it adds these URLs.
 */
function requestsOutside(context: BrowserContext): string[] {
  const outside: string[] = [];
  const own = `${server.url}${path}/`;
  const check = (url: string): void => {
    if (!url.replace(/^ws/, 'http').startsWith(own) && !/^(data|blob):/.test(url))
      outside.push(url);
  };
  // Includes the requests by the service worker and by the engine's workers.
  context.on('request', (request) => check(request.url()));
  const watch = (page: ReturnType<BrowserContext['pages']>[number]): void => {
    page.on('websocket', (socket) => check(socket.url()));
  };
  context.pages().forEach(watch);
  context.on('page', watch);
  return outside;
}

test('a house under a path never requests anything outside it', async ({ browser }) => {
  const house = server.url + path;
  const context = await browser.newContext({ locale: 'fr-FR' });
  const outside = requestsOutside(context);
  // Make the page think that it is installed, so that it caches everything (see below).
  await context.addInitScript(() => {
    const { matchMedia } = window;
    window.matchMedia = (query) =>
      matchMedia.call(window, query.replace('display-mode: standalone', 'min-width: 0'));
  });
  const page = await context.newPage();
  const friendContext = await browser.newContext({ locale: 'fr-FR' });
  const outsideForFriend = requestsOutside(friendContext);
  const friend = await friendContext.newPage();
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(String(error)));
  page.on('response', (response) => {
    if (response.status() >= 400) failures.push(`${response.status()} ${response.url()}`);
  });

  // A game against a friend.
  const invitation = await createGameInForm(page, house, {
    variant: 'Baroque',
    opponent: 'friend',
    color: 'Blancs',
  });
  expect(invitation).toMatch(new RegExp(`^${house}/invite/\\w+$`));
  await page.getByText('Code QR').click();
  await expect(page.getByRole('img', { name: 'Code QR de l’invitation' })).toHaveJSProperty(
    'complete',
    true,
  );
  await join(friend, invitation);
  await expect(friend).toHaveURL(new RegExp(`^${house}/game/\\w{12}$`));
  for (const [index, move] of ['g2g6', 'e7e4', 'f1h3'].entries()) {
    const [mover, other] = index % 2 === 0 ? [page, friend] : [friend, page];
    await step(mover, move.slice(0, 2), move.slice(2));
    await expectPly(other, index + 1);
    await expectPly(mover, index + 1);
  }
  await page.reload();
  await expectPly(page, 3);
  await expect(headline(page)).not.toHaveText('À vous de jouer');
  const cookies = await context.cookies();
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) expect(cookie.path).toBe(path);

  // The service worker controls only the house.
  const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope);
  expect(scope).toBe(`${house}/`);

  // A rule page, loaded at an address with another language (`/en/…`).
  await page.goto(`${house}/en/rules/baroque`);
  await expect(page.locator('article figure').first()).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Baroque');
  // Links to the sources lead to other hosts.
  const links = await page
    .locator('a[href]')
    .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href));
  const own = links.filter((link) => link.startsWith(server.url));
  expect(own.length).toBeGreaterThan(10);
  expect(own.filter((link) => !link.startsWith(`${house}/`))).toEqual([]);

  // Choosing a language removes the language prefix from the URL.
  await page.getByRole('banner').getByRole('link', { name: 'Hall' }).click();
  await expect(page).toHaveURL(`${house}/en/hall`);
  await openMenu(page);
  await page.getByRole('combobox', { name: 'Language' }).selectOption('es');
  await expect(page).toHaveURL(`${house}/hall`);
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es');

  // The engine: a worker, its module and its network.
  await page.goto(`${house}/analysis/chess`);
  await page.getByRole('switch', { name: 'Calcular' }).check();
  await expect(page.locator('[data-line="1"] .pv')).toBeVisible();
  expect(page.workers().map((worker) => worker.url())).toEqual(
    expect.arrayContaining([expect.stringContaining(`${house}/assets/engine.worker`)]),
  );

  // The service worker caches the page and, because the page is installed, also the engine and all
  // problems.
  await page.goto(`${house}/`);
  const cached = () =>
    page.evaluate(async (name) => {
      const keys = await (await caches.open(name)).keys();
      return keys.map(({ url }) => url);
    }, `adoube-1${path}`);
  for (const end of [/\/$/, /\/api\/problems\/chess$/, /analysis_bg.*\.wasm$/, /\.network$/])
    await expect
      .poll(async () => (await cached()).some((url) => end.test(url)), { timeout: 90_000 })
      .toBe(true);
  expect((await cached()).filter((url) => !url.startsWith(`${house}/`))).toEqual([]);
  expect(await page.evaluate(() => caches.keys())).toEqual([`adoube-1${path}`]);

  expect(failures).toEqual([]);
  expect(outside).toEqual([]);
  expect(outsideForFriend).toEqual([]);
  await context.close();
  await friendContext.close();
});

test('the root of the host is not found, and the path gets a trailing slash', async ({ page }) => {
  const response = await page.goto(server.url);
  expect(response?.status()).toBe(404);
  const bare = await page.goto(server.url + path);
  expect(bare?.url()).toBe(`${server.url}${path}/`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
