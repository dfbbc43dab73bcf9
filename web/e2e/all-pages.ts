/** Pages whose content is the same in each run, for tests that cover all of them. */
import { expect, type Locator, type Page } from '@playwright/test';
import { createGame, expectPly, square, type NewGame } from './game-page';

export interface AnyPage {
  readonly name: string;
  /** Opens the page on a server. */
  readonly open: (page: Page, base: string) => Promise<void>;
  /** Returns an element that is visible once the page is complete. */
  readonly ready: (page: Page) => Locator;
  /** Returns the few elements that still differ from run to run. */
  readonly random?: (page: Page) => Locator[];
}

const at = (path: string) => (page: Page, base: string) =>
  page.goto(base + path).then(() => undefined);
const title = (page: Page): Locator => page.getByRole('heading', { level: 1 });
const board = (page: Page): Locator => page.locator('button[data-square="a1"]');
const diagram = (page: Page): Locator => page.locator('.diagram img').first();

const against = (variant: NewGame['variant']): NewGame => ({
  variant,
  opponent: 'machine',
  color: 'Blancs',
  level: 1,
});

/**
 * Returns a function that creates a game against the machine, in which the visitor plays White and
 * has not moved yet. A later position would differ between runs, because the machine's turns do.
 */
const running = (variant: NewGame['variant']) => async (page: Page, base: string) => {
  await createGame(page, base, against(variant));
};

async function openWonGame(page: Page, base: string): Promise<void> {
  await createGame(page, base, { ...against('Échecs'), fen: '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1' });
  await square(page, 'a1').click();
  await square(page, 'a8').click();
  await expectPly(page, 1);
}

async function openWaitingGame(page: Page, base: string): Promise<string> {
  return createGame(page, base, { variant: 'Baroque', opponent: 'friend', color: 'Blancs' });
}

/** Opens a friend's invitation as a different visitor. */
async function openInvitation(page: Page, base: string): Promise<void> {
  const link = await openWaitingGame(page, base);
  await page.context().clearCookies();
  await page.goto(link);
}

async function openDrill(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/learn/baroque`);
  await page.locator('main li.card a').first().click();
}

export const allPages: readonly AnyPage[] = [
  { name: 'home', open: at('/'), ready: (page) => page.locator('.diagram img').last() },
  { name: 'hall', open: at('/hall'), ready: title },
  { name: 'games', open: at('/games'), ready: title },
  { name: 'game', open: running('Baroque'), ready: board },
  { name: 'game-interweave', open: running('Interweave'), ready: board },
  { name: 'game-over', open: openWonGame, ready: (page) => page.locator('[data-fallen]') },
  {
    name: 'game-waiting',
    open: async (page, base) => void (await openWaitingGame(page, base)),
    ready: board,
    // Each invitation has its own token.
    random: (page) => [page.getByLabel('Lien d’invitation'), page.locator('main svg.qr')],
  },
  {
    name: 'invitation',
    open: openInvitation,
    ready: (page) => page.getByRole('button', { name: /^Rejoindre/ }),
  },
  { name: 'rules', open: at('/rules/baroque'), ready: board },
  { name: 'drills', open: at('/learn/baroque'), ready: diagram },
  { name: 'drill', open: openDrill, ready: board },
  { name: 'problems', open: at('/problems/baroque/c14d2965'), ready: board },
  { name: 'compose', open: at('/problems/baroque/compose'), ready: board },
  { name: 'analysis', open: at('/analysis/chess'), ready: board },
  { name: 'saved-analyses', open: at('/analysis/saved'), ready: title },
  { name: 'account', open: at('/account'), ready: title },
  { name: 'settings', open: at('/settings'), ready: title },
  // An invalid link, which the page reports once the server has responded.
  { name: 'recovery', open: at('/recover/x'), ready: (page) => page.getByRole('alert') },
  { name: 'not-found', open: at('/nothing'), ready: title },
];

/** Opens one of the pages, and waits until it is complete. */
export async function openPage(page: Page, { open, ready }: AnyPage, base = ''): Promise<void> {
  await open(page, base);
  await expect(ready(page).first()).toBeVisible();
  await expect(page.getByText('Chargement…')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
}
