/**
 * Tests the site without a server: the pages that can still be opened, and the additional features
 * of an installed page.
 */
import { expect, test, type BrowserContext, type Page } from '@playwright/test';
import { expectAccessible } from './accessible';
import { RestartableServer } from './server';

test.use({ serviceWorkers: 'allow' });

/** Returns the paths of everything that the service worker has cached. */
const cachedPaths = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const cache = await caches.open('adoube-1');
    return (await cache.keys()).map(({ url }) => new URL(url).pathname);
  });

/** Waits until the worker has cached the page's files and at least one path for each pattern. */
async function expectCached(context: BrowserContext, page: Page, ...paths: RegExp[]) {
  if (context.serviceWorkers().length === 0) await context.waitForEvent('serviceworker');
  const missing = async () => {
    const cached = await cachedPaths(page);
    const loaded = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => new URL(name).pathname)
        .filter((path) => path.startsWith('/assets/')),
    );
    if (loaded.length < 10) return ['most of the page'];
    return [
      ...loaded.filter((path) => !cached.includes(path)),
      ...paths.filter((path) => !cached.some((each) => path.test(each))).map(String),
    ];
  };
  await expect.poll(missing, { timeout: 90_000 }).toEqual([]);
}

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const offlineNotice = (page: Page) =>
  // Chromium does not always tell a page served by a worker that it is offline. In that case the
  // page finds out from its socket.
  page.getByText(/Pas de réseau\.|Le serveur ne répond pas/).first();

test('rules and drills open while the server is stopped; games do not', async ({
  page,
  context,
}) => {
  const server = await RestartableServer.start();
  try {
    const errors: Error[] = [];
    page.on('pageerror', (error) => errors.push(error));
    await page.goto(`${server.url}/rules/baroque`);
    await expectCached(context, page, /^\/api\/drills\/baroque$/);
    await server.kill();

    await page.goto(`${server.url}/rules/baroque`);
    await expect(heading(page)).toHaveText('Règles : Baroque');
    await expect(offlineNotice(page)).toBeVisible();
    await page.goto(`${server.url}/learn/baroque`);
    await expect(heading(page)).toHaveText('Exercices : Baroque');
    await expectAccessible(page);
    await page.goto(`${server.url}/learn/baroque/pawn-one`);
    await expect(heading(page)).toHaveText('Le pion pince');
    await page.goto(`${server.url}/game/aaaaaaaaaaaa`);
    await expect(page.getByRole('alert')).toContainText('Le serveur ne répond pas');
    // On a phone, the game page hides the menu, unless the game cannot be loaded.
    const phone = await context.newPage();
    await phone.setViewportSize({ width: 360, height: 740 });
    await phone.goto(`${server.url}/game/aaaaaaaaaaaa`);
    const failure = phone.getByRole('alert');
    await expect(failure.getByRole('link', { name: 'Problèmes' })).toHaveCount(0);
    await expect(phone.getByRole('button', { name: 'Menu' })).toBeVisible();
    await expectAccessible(phone);
    await failure.getByRole('link', { name: 'Exercices' }).click();
    await expect(heading(phone)).toHaveText('Exercices\u00a0: Baroque');
    await phone.close();
    const cached = await cachedPaths(page);
    expect(cached.filter((path) => /api\/(games|hall|account|seeks)/.test(path))).toEqual([]);
    // The page is not installed, so it has not fetched the engine.
    expect(cached.filter((path) => /analysis_bg|\.network$/.test(path))).toEqual([]);
    expect(errors).toEqual([]);

    await server.restart();
    await page.goto(`${server.url}/hall`);
    await expect(offlineNotice(page)).toHaveCount(0);
  } finally {
    await server.stop();
  }
});

test('an installed page shows problems and runs the engine while the server is stopped', async ({
  page,
  context,
}) => {
  const server = await RestartableServer.start();
  try {
    // Makes the page think that it is installed.
    await page.addInitScript(() => {
      const { matchMedia } = window;
      window.matchMedia = (query) =>
        matchMedia.call(window, query.replace('display-mode: standalone', 'min-width: 0'));
    });
    await page.goto(`${server.url}/`);
    await expectCached(
      context,
      page,
      /\/Analysis-/,
      /analysis_bg.*\.wasm$/,
      /interweave-.*\.network$/,
    );
    const isComplete = () => page.evaluate(() => 'adoube.offline' in localStorage);
    await expect.poll(isComplete, { timeout: 90_000 }).toBe(true);
    await server.kill();

    await page.goto(`${server.url}/game/aaaaaaaaaaaa`);
    await page.getByRole('alert').getByRole('link', { name: 'Problèmes' }).click();
    await expect(page.locator('img[data-square]').first()).toBeVisible();
    for (const variant of ['chess', 'baroque', 'ultima', 'interweave']) {
      await page.goto(`${server.url}/problems/${variant}`);
      await expect(page.locator('img[data-square]').first()).toBeVisible();
      await page.goto(`${server.url}/analysis/${variant}`);
      await page.getByRole('switch', { name: 'Calculer' }).check();
      await expect(page.locator('[data-score]')).toHaveText(/\d/);
      await expect(page.locator('[data-line="1"] .pv')).toContainText(/[a-h][1-8]/);
    }
  } finally {
    await server.stop();
  }
});

/** The manifest entries that Chromium requires of an installable page. */
interface Manifest {
  readonly name: string;
  readonly start_url: string;
  readonly scope: string;
  readonly display: string;
  readonly icons: readonly {
    readonly src: string;
    readonly type: string;
    readonly sizes: string;
  }[];
}

test('the page can be installed', async ({ request, page, context }) => {
  await page.goto('/settings');
  // Headless Chromium does not report why a page cannot be installed, so this test checks
  // Chromium's criteria itself.
  const session = await context.newCDPSession(page);
  const { url, data, errors } = await session.send('Page.getAppManifest');
  expect(errors).toEqual([]);
  const manifest = await request.get(url);
  expect(manifest.headers()['content-type']).toContain('application/manifest+json');
  const { name, start_url, scope, display, icons } = JSON.parse(data ?? '') as Manifest;
  const start = new URL(start_url, url).href;
  expect(name).not.toBe('');
  expect(start.startsWith(new URL(scope, url).href)).toBe(true);
  expect(display).toBe('standalone');
  for (const { src: path, type, sizes } of icons) {
    const src = new URL(path, url).href;
    const icon = await request.get(src);
    expect([src, icon.status(), icon.headers()['content-type']]).toEqual([src, 200, type]);
    if (sizes === 'any') continue;
    const width = await page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return image.naturalWidth;
    }, src);
    expect(`${width}x${width}`, src).toBe(sizes);
  }
  expect(icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']));
  for (const path of ['/favicon.ico', '/apple-touch-icon.png'])
    expect((await request.get(path)).status(), path).toBe(200);
  // The worker controls the page that opens when the site is started from its icon.
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.goto(start);
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toMatch(
    /sw\.js$/,
  );
});
