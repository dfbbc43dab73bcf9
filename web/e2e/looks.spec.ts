/**
 * Compares screenshots of the pages, in both themes and at two or three widths, with the reference
 * pictures in `pictures/`. Data, fonts and motion, which would differ between machines and runs,
 * are fixed; other differences are masked. `cargo xtask pictures` updates the pictures of pages that
 * look different.
 *
 * The pictures have half the resolution of the window, which is enough to see a change, and use lossy
 * compression, because the repository keeps every picture that was ever committed.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test, type Browser, type Locator, type Page } from '@playwright/test';
import { adminSections } from '../src/lib/admin/sections';
import { allPages, openPage } from './all-pages';
import { compare, TOLERANCE } from './pictures';
import { RestartableServer } from './server';

const WINDOWS = [
  [1280, 800],
  [768, 1024],
  [360, 740],
] as const;
const THEMES = ['light', 'dark'] as const;
const WIDTHS = WINDOWS.map(([width]) => width);
/** The administration pages are forms whose columns change only on a phone, so two widths are enough. */
const HOUSE_WIDTHS = [1280, 360];

/** The pages for administrators, and the page that shows what an administrator has entered. */
const HOUSE_PAGES = [
  'join',
  'first-steps',
  ...adminSections.map((section) => `admin-${section}`),
  'privacy',
];

const folder = join(import.meta.dirname, 'pictures');
const fileOf = (name: string, width: number, theme: string) => `${name}-${width}-${theme}.webp`;

/** How many times a screenshot is attempted. At first, the page may still be changing. */
const ATTEMPTS = 12;
const PAUSE_MS = 250;

/** Returns a font as a data URL. */
function font(name: string): string {
  const file = createRequire(import.meta.url).resolve(`@fontsource/noto-sans/files/${name}.woff2`);
  return `data:font/woff2;base64,${readFileSync(file).toString('base64')}`;
}

/** A style sheet that hides scroll bars and replaces system fonts, which differ between machines. */
const FONTS = `
  @font-face { font-family: Fixed; font-weight: 100 500; src: url('${font('noto-sans-latin-400-normal')}'); }
  @font-face { font-family: Fixed; font-weight: 501 900; src: url('${font('noto-sans-latin-700-normal')}'); }
  :root { --serif: Fixed; --sans: Fixed; --mono: Fixed; }
  html { scrollbar-width: none; }
`;

// Turns off font hinting, which would otherwise depend on the machine's settings.
test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({ ...launchOptions, args: [...(launchOptions.args ?? []), '--font-render-hinting=none'] }),
});

let server: RestartableServer;

test.beforeAll(async () => {
  server = await RestartableServer.start();
});

test.afterAll(async () => {
  await server.stop();
});

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    deviceScaleFactor: 0.5,
    locale: 'fr-FR',
    timezoneId: 'UTC',
    // The content security policy allows neither inline style sheets nor fonts in data URLs.
    bypassCSP: true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.addInitScript((css) => {
    document.addEventListener('DOMContentLoaded', () => {
      const style = document.createElement('style');
      style.textContent = css;
      document.head.append(style);
    });
  }, FONTS);
  return page;
}

/** Takes a screenshot of the window, as WebP. */
const take = (page: Page, mask: Locator[] = []): Promise<Buffer> =>
  page.screenshot({ type: 'webp', quality: 70, animations: 'disabled', mask });

/** Takes a screenshot of the window once two in a row are equal; throws if that does not happen. */
async function takeAtRest(page: Page, mask: Locator[]): Promise<Buffer> {
  let last = await take(page, mask);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    await page.waitForTimeout(PAUSE_MS);
    const next = await take(page, mask);
    if (next.equals(last)) return next;
    last = next;
  }
  throw new Error('the page keeps changing');
}

/** Writes a reference picture if there is none or the window looks different. */
async function update(page: Page, file: string, mask: Locator[]): Promise<void> {
  const found = await takeAtRest(page, mask);
  const path = join(folder, file);
  // Every run draws some edges a little differently.
  const isUnchanged = (share: number): boolean => share < TOLERANCE / 8;
  if (existsSync(path) && isUnchanged((await compare(page, readFileSync(path), found)).share))
    return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, found);
}

/** Compares the window with a reference picture; retries while they differ. */
async function check(page: Page, file: string, mask: Locator[]): Promise<void> {
  const path = join(folder, file);
  if (!existsSync(path)) throw new Error(`${file} is missing; run \`cargo xtask pictures\``);
  const expected = readFileSync(path);
  for (let attempt = 1; ; attempt += 1) {
    const found = await take(page, mask);
    const { share, around } = await compare(page, expected, found);
    if (share <= TOLERANCE) return;
    if (attempt < ATTEMPTS) {
      await page.waitForTimeout(PAUSE_MS);
      continue;
    }
    await test.info().attach(file, { body: found, contentType: 'image/webp' });
    await test.info().attach(`expected-${file}`, { body: expected, contentType: 'image/webp' });
    const percent = (share * 100).toFixed(2);
    // A soft assertion, so that one run reports every difference.
    expect.soft(`${percent}% of the blocks differ, around ${around.join(', ')}`, file).toBe('');
    return;
  }
}

/** Compares the page with its pictures, at each width and in each theme, or updates them. */
async function compareOrUpdate(
  page: Page,
  name: string,
  random: Locator[] = [],
  widths: readonly number[] = WIDTHS,
): Promise<void> {
  const isUpdating = test.info().config.updateSnapshots !== 'none';
  for (const [width, height] of WINDOWS) {
    if (!widths.includes(width)) continue;
    await page.setViewportSize({ width, height });
    for (const colorScheme of THEMES) {
      await page.emulateMedia({ colorScheme });
      await page.evaluate(() => document.fonts.ready);
      await (isUpdating ? update : check)(page, fileOf(name, width, colorScheme), random);
    }
  }
}

for (const each of allPages)
  test(`${each.name} looks the same as before`, async ({ browser }) => {
    const page = await newPage(browser);
    await openPage(page, each, server.url);
    await compareOrUpdate(page, each.name, each.random?.(page));
    await page.context().close();
  });

test('the administration pages look the same as before', async ({ browser }) => {
  test.slow();
  const page = await newPage(browser);
  // The dates in the audit log, which differ between runs.
  const dates = page.getByText(/ 2\d{3}\b/);
  const checkLook = (name: string): Promise<void> =>
    compareOrUpdate(page, name, [dates], HOUSE_WIDTHS);
  await page.goto(await server.adminLink());
  await page.getByLabel('Nom', { exact: true }).fill('Sofia');
  await page.getByLabel('Mot de passe', { exact: true }).fill('un mot de passe assez long');
  await checkLook('join');
  await page.getByRole('button', { name: 'Créer le compte' }).click();
  // The default name of a house, so that the other pages do not depend on whether this test ran first.
  await page.getByLabel('Nom de la maison').fill('adoube');
  await page.getByLabel('Contact').fill('fou@example.org');
  await checkLook('first-steps');
  await page.getByRole('button', { name: 'Continuer' }).click();
  await expect(page.getByRole('heading', { name: 'Les inscriptions' })).toBeFocused();
  for (const section of adminSections) {
    await page.goto(`${server.url}/admin/${section}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText('Chargement…')).toHaveCount(0);
    await page.waitForLoadState('networkidle');
    await checkLook(`admin-${section}`);
  }
  await page.goto(`${server.url}/house/privacy`);
  await expect(page.getByText('fou@example.org').first()).toBeVisible();
  await checkLook('privacy');
  await page.context().close();
});

test('every picture belongs to a page', () => {
  const pages = [
    ...allPages.map(({ name }) => ({ name, widths: WIDTHS })),
    ...HOUSE_PAGES.map((name) => ({ name, widths: HOUSE_WIDTHS })),
  ];
  const files = new Set(
    pages.flatMap(({ name, widths }) =>
      widths.flatMap((width) => THEMES.map((theme) => fileOf(name, width, theme))),
    ),
  );
  const unused = readdirSync(folder).filter((file) => !files.has(file));
  if (test.info().config.updateSnapshots !== 'none')
    for (const file of unused) rmSync(join(folder, file));
  else expect(unused).toEqual([]);
});

test('the comparison detects visible changes, and nothing else', async ({ browser }) => {
  const page = await newPage(browser);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto(`${server.url}/analysis/chess`);
  await expect(page.locator('img[data-square="a1"]')).toBeVisible();
  await page.waitForLoadState('networkidle');
  const before = await takeAtRest(page, []);

  /** Returns the share of blocks that differ while a style sheet applies. */
  const withStyle = async (css: string): Promise<number> => {
    const style = await page.addStyleTag({ content: css });
    const { share } = await compare(page, before, await take(page));
    await style.evaluate((element: Element) => element.remove());
    return share;
  };
  expect(await withStyle('/* nothing */')).toBe(0);
  // Another browser version may draw edges and letters with small differences like these.
  expect(await withStyle('main { filter: blur(0.5px); }')).toBeLessThan(TOLERANCE / 2);
  expect(await withStyle('main { opacity: 0.98; }')).toBeLessThan(TOLERANCE / 2);
  expect(await withStyle('.pieces { filter: blur(0.7px); }')).toBeLessThan(TOLERANCE / 2);

  expect(await withStyle('.squares { visibility: hidden; }')).toBeGreaterThan(TOLERANCE * 10);
  expect(await withStyle('.pieces { visibility: hidden; }')).toBeGreaterThan(TOLERANCE * 4);
  expect(await withStyle('.side { translate: 24px 0; }')).toBeGreaterThan(TOLERANCE * 2);
  expect(await withStyle('.side { translate: 0 12px; }')).toBeGreaterThan(TOLERANCE * 2);
  expect(await withStyle('main * { font-weight: 400 !important; }')).toBeGreaterThan(TOLERANCE);
  expect(await withStyle('header { display: none !important; }')).toBeGreaterThan(TOLERANCE * 2);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await withStyle('/* nothing */')).toBeGreaterThan(TOLERANCE * 10);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.evaluate(() => {
    for (const sheet of document.querySelectorAll('link[rel=stylesheet]')) sheet.remove();
  });
  expect((await compare(page, before, await take(page))).share).toBeGreaterThan(TOLERANCE * 10);
  await page.context().close();
});
