import { expect, type Locator, type Page } from '@playwright/test';

/** How a man is moved by hand. */
export type Hand = 'click' | 'drag' | 'keyboard';

export interface NewGame {
  readonly variant: 'Échecs' | 'Baroque' | 'Interweave';
  readonly opponent: 'machine' | 'friend';
  readonly color: 'Blancs' | 'Noirs';
  /** From 1 to 10. */
  readonly level?: number;
  readonly fen?: string;
  /** As the form writes it, such as `5 + 3`. */
  readonly clock?: string;
  readonly touchMove?: boolean;
}

/** Opens the settings of a new game that most people leave alone. */
export async function openMore(page: Page): Promise<void> {
  await page.getByText('Plus de réglages').click();
}

export function square(page: Page, name: string): Locator {
  return page.locator(`button[data-square="${name}"]`);
}

/** Creates a game on the home page; returns the invitation link, if there is one. */
export async function createGame(page: Page, base: string, game: NewGame): Promise<string> {
  await page.goto(`${base}/`);
  await page.getByRole('radio', { name: new RegExp(game.variant) }).check();
  const opponent = game.opponent === 'machine' ? 'La machine' : 'Quelqu’un, par un lien';
  await page.getByRole('radio', { name: new RegExp(opponent, 'i') }).check();
  if (game.level !== undefined) await page.getByLabel('Sa force').fill(String(game.level));
  await page.getByRole('radio', { name: game.color, exact: true }).check();
  if (game.clock !== undefined)
    await page.getByRole('radio', { name: game.clock, exact: true }).check();
  if (game.touchMove === true) {
    await openMore(page);
    await page.getByLabel('Pièce touchée, pièce à jouer').check();
  }
  if (game.fen !== undefined) {
    await openMore(page);
    await page.getByRole('radio', { name: 'Une position (FEN)' }).check();
    await page.getByLabel('Position de départ (FEN)').fill(game.fen);
  }
  const button = game.opponent === 'machine' ? 'Jouer' : 'Créer le lien';
  await page.getByRole('button', { name: button, exact: true }).click();
  await expect(page).toHaveURL(/\/game\/\w{12}$/);
  if (game.opponent === 'machine') return '';
  const link = page.getByLabel('Lien d’invitation');
  await expect(link).toHaveValue(/\/invite\/\w+$/);
  return link.inputValue();
}

/** Waits until the page shows so many turns: then the server has acknowledged them, if this page did not play them. */
export async function expectPly(page: Page, ply: number): Promise<void> {
  await expect(page.locator(`[data-ply="${ply}"]`)).toBeVisible();
  await expect(page.locator(`[data-ply="${ply + 1}"]`)).toHaveCount(0);
}

/** Makes one step on the board. */
export async function step(
  page: Page,
  from: string,
  to: string,
  hand: Hand = 'click',
): Promise<void> {
  if (hand === 'drag') {
    await square(page, from).hover();
    await page.mouse.down();
    await square(page, to).hover();
    await page.mouse.up();
    return;
  }
  if (hand === 'keyboard') {
    await square(page, from).focus();
    await page.keyboard.press('Enter');
    const files = to.charCodeAt(0) - from.charCodeAt(0);
    const ranks = to.charCodeAt(1) - from.charCodeAt(1);
    const flipped =
      (await page.locator('button[data-square]').first().getAttribute('data-square')) === 'h1';
    const press = async (key: string, times: number): Promise<void> => {
      for (let count = 0; count < times; count += 1) await page.keyboard.press(key);
    };
    await press(files > 0 !== flipped ? 'ArrowRight' : 'ArrowLeft', Math.abs(files));
    await press(ranks > 0 !== flipped ? 'ArrowUp' : 'ArrowDown', Math.abs(ranks));
    await page.keyboard.press('Enter');
    return;
  }
  await square(page, from).click();
  await square(page, to).click();
}

/** Types a turn, as SAN or as coordinates. */
export async function type(page: Page, text: string): Promise<void> {
  const field = page.getByLabel('Jouer par écrit');
  await field.fill(text);
  await field.press('Enter');
}

export function headline(page: Page): Locator {
  return page.locator('.status h2');
}

export async function expectResult(page: Page, result: string, reason: string): Promise<void> {
  await expect(headline(page)).toHaveText(result);
  await expect(page.locator('.status').getByText(reason)).toBeVisible();
}

/** Plays any legal turn on the board, the same in every run. */
export async function playSomething(
  page: Page,
  color: 'white' | 'black',
  seed: number,
): Promise<void> {
  const before = await placement(page);
  // Again, because what can be played may come to a slow page after its headline,
  // and because a chain can go on by itself between two looks at the page.
  await expect(async () => {
    if ((await placement(page)) === before) await tryEachMan(page, color, seed);
    await expect.poll(() => placement(page), { timeout: 5_000 }).not.toBe(before);
  }, `a man of ${color} that can move`).toPass({ timeout: 30_000 });
}

/** Plays with the first man that can; does nothing where none can. */
async function tryEachMan(page: Page, color: 'white' | 'black', seed: number): Promise<void> {
  const men = await page
    .locator(`img[data-piece^="${color}-"]`)
    .evaluateAll((images) => images.map((image) => image.getAttribute('data-square') ?? ''));
  const targets = page.locator('button[data-target]');
  for (const from of men.sort((a, b) => rank(a, seed) - rank(b, seed))) {
    // In the middle of a chain the man that must go on is in hand already.
    if ((await targets.count()) === 0) await square(page, from).click();
    const squares = await targets.evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('data-square') ?? ''),
    );
    const inPlace = page.locator('button[data-in-place]');
    if (squares.length === 0 && (await inPlace.count()) === 0) continue;
    const [to] = squares.sort((a, b) => rank(a, seed + 7) - rank(b, seed + 7));
    await (to === undefined ? inPlace.first() : square(page, to)).click();
    const choice = page.locator('[data-promotion]').first();
    if (await choice.isVisible()) await choice.click();
    return;
  }
}

/** Which man stands where. */
async function placement(page: Page): Promise<string> {
  const men = await page
    .locator('img[data-piece]')
    .evaluateAll((images) =>
      images.map(
        (image) => `${image.getAttribute('data-square')} ${image.getAttribute('data-piece')}`,
      ),
    );
  return men.sort().join(', ');
}

/** A number that orders squares differently for each seed. */
function rank(name: string, seed: number): number {
  const index = name.charCodeAt(0) * 8 + name.charCodeAt(1);
  return (Math.imul(index + 1, 2_654_435_761) ^ Math.imul(seed + 1, 40_503)) >>> 8;
}
