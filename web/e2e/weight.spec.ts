import { expect, test, type Page } from '@playwright/test';
import { RestartableServer } from './server';

/** Starts counting requests and the bytes received, compressed and including headers. */
async function weigh(page: Page): Promise<{ bytes: number; requests: number }> {
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  const weight = { bytes: 0, requests: 0 };
  // Piece images are `data:` URLs, which arrive with a script and are not requests.
  const inline = new Set<string>();
  client.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.startsWith('data:')) inline.add(requestId);
  });
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (inline.has(requestId)) return;
    weight.bytes += encodedDataLength;
    weight.requests += 1;
  });
  return weight;
}

/** Opens a page with an empty cache; returns the number of bytes received until it is complete. */
async function weightOf(
  page: Page,
  path: string,
  ready: (page: Page) => Promise<void>,
): Promise<number> {
  const weight = await weigh(page);
  // The code for the notices arrives last on every page, and then opens the visitor's socket.
  const opening = page.waitForEvent('websocket');
  await page.goto(path, { waitUntil: 'networkidle' });
  await ready(page);
  await opening;
  await page.waitForLoadState('networkidle');
  console.info(`${path}: ${(weight.bytes / 1000).toFixed(1)} kB in ${weight.requests} requests`);
  expect(weight.requests).toBeGreaterThan(5);
  return weight.bytes;
}

const hasTitle = (title: string | RegExp) => (page: Page) =>
  expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();

test('the home page takes less than 240 kB', async ({ page }) => {
  const bytes = await weightOf(page, '/', () =>
    // The diagrams are drawn only once the rules module has been loaded.
    expect(
      page.getByRole('img', { name: 'Position de départ de Baroque' }).locator('img'),
    ).toHaveCount(32),
  );
  expect(bytes).toBeLessThan(240_000);
});

for (const variant of ['chess', 'baroque', 'interweave', 'ultima'])
  test(`the rules of ${variant} take less than 270 kB`, async ({ page }) => {
    const bytes = await weightOf(page, `/rules/${variant}`, () =>
      expect(page.locator('figure[data-diagram] button[data-square]').first()).toBeVisible(),
    );
    expect(bytes).toBeLessThan(270_000);
  });

for (const [path, title, maxBytes] of [
  ['/games', 'Vos parties', 120_000],
  ['/account', 'Compte', 130_000],
  ['/settings', 'Réglages', 127_000],
  ['/learn/chess', /^Exercices/, 272_000],
  ['/problems/chess', /^Problèmes/, 355_000],
  ['/analysis/chess', /^Analyse/, 560_000],
] as const)
  test(`${path} takes less than ${maxBytes / 1000} kB`, async ({ page }) => {
    const bytes = await weightOf(page, path, async () => {
      await hasTitle(title)(page);
      await expect(page.getByText('Chargement…')).toHaveCount(0);
    });
    expect(bytes).toBeLessThan(maxBytes);
  });

test('the hall with the boards of four games takes less than 134 kB', async ({ browser }) => {
  // Uses its own server, because the shared server's hall also shows games left behind by other
  // tests.
  const server = await RestartableServer.start();
  try {
    const seeker = await browser.newPage();
    // The seeks created below can be accepted only while their author has a page open.
    const connecting = seeker.waitForEvent('websocket');
    await seeker.goto(`${server.url}/hall`, { timeout: 0 });
    await connecting;
    const other = await browser.newContext();
    for (const variant of ['chess', 'baroque', 'interweave', 'ultima']) {
      const seek = await seeker.request.post(`${server.url}/api/seeks`, {
        data: { command: crypto.randomUUID(), color: 'white', variant },
      });
      const { id } = (await seek.json()) as { id: string };
      const accepted = await other.request.post(`${server.url}/api/seeks/${id}/accept`);
      expect(accepted.ok(), await accepted.text()).toBe(true);
    }
    const visitor = await (await browser.newContext()).newPage();
    const bytes = await weightOf(visitor, `${server.url}/hall`, async (page) => {
      await hasTitle('La salle')(page);
      const boards = page.getByRole('link').locator('img');
      await expect(boards).toHaveCount(4);
      // Boards below the viewport are loaded only once they are scrolled into view.
      for (const board of await boards.all()) await board.scrollIntoViewIfNeeded();
    });
    expect(bytes).toBeLessThan(134_000);
  } finally {
    await server.stop();
  }
});

test('a game takes less than 450 kB', async ({ page, request }) => {
  const newGame = { variant: 'chess', color: 'white', opponent: { type: 'friend' } };
  const created = await request.post('/api/games', {
    data: { ...newGame, command: crypto.randomUUID() },
  });
  const { id } = (await created.json()) as { id: string };
  const bytes = await weightOf(page, `/game/${id}`, () =>
    expect(page.locator('button[data-square]').first()).toBeVisible(),
  );
  expect(bytes).toBeLessThan(450_000);
});

test('an image has a short and strict content security policy', async ({ request }) => {
  const response = await request.get('/favicon.svg');
  const policy = "default-src 'none'; frame-ancestors 'none'";
  expect(response.headers()['content-security-policy']).toBe(policy);
});
