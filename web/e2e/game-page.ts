import { randomUUID } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';

/** How a piece is moved. */
export type InputMethod = 'click' | 'drag' | 'keyboard';

export interface NewGame {
  readonly variant: 'Échecs' | 'Baroque' | 'Interweave';
  readonly opponent: 'machine' | 'friend';
  readonly color: 'Blancs' | 'Noirs';
  /** Level of the machine, 1 to 10. */
  readonly level?: number;
  readonly fen?: string;
  /** Time control as the form shows it, such as `5 + 3`. */
  readonly clock?: string;
  readonly touchMove?: boolean;
}

/** Opens the advanced settings of a new game. */
export async function openMore(page: Page): Promise<void> {
  await page.getByText('Plus de réglages').click();
}

/** Shows the whole game page if the window is so small that only the game is shown. */
export async function showAll(page: Page): Promise<void> {
  await expect(
    page.getByRole('button', { name: /^(Tout afficher|N’afficher que la partie)$/ }),
  ).toBeVisible();
  const button = page.getByRole('button', { name: 'Tout afficher' });
  if (await button.isVisible()) await button.click();
}

export function square(page: Page, name: string): Locator {
  return page.locator(`button[data-square="${name}"]`);
}

/** The games, by their French names. */
const VARIANTS = { Échecs: 'chess', Baroque: 'baroque', Interweave: 'interweave' };

/** Returns the time control for a clock such as `5 + 3`: minutes, and seconds added per turn. */
function timeControlOf(clock: string): object {
  const [minutes = 0, seconds = 0] = clock.split('+').map(Number);
  return { type: 'fischer', initialMs: minutes * 60_000, incrementMs: seconds * 1000 };
}

/**
 * Creates a game through the API and opens it; returns the invitation link, or an empty string if
 * there is none.
 */
export async function createGame(page: Page, base: string, game: NewGame): Promise<string> {
  const { opponent, level = 3, clock, touchMove, fen } = game;
  const response = await page.request.post(`${base}/api/games`, {
    data: {
      command: randomUUID(),
      variant: VARIANTS[game.variant],
      color: game.color === 'Blancs' ? 'white' : 'black',
      opponent: opponent === 'machine' ? { type: opponent, level } : { type: opponent },
      ...(clock === undefined ? {} : { timeControl: timeControlOf(clock) }),
      ...(touchMove === undefined ? {} : { touchMove }),
      ...(fen === undefined ? {} : { fen }),
    },
  });
  expect(response.ok(), await response.text()).toBe(true);
  const { id, invitation } = (await response.json()) as { id: string; invitation: string | null };
  // Normally, the page that creates a game stores its invitation.
  if (invitation !== null)
    await page.addInitScript(
      ([name = '', token = '']) => localStorage.setItem(name, token),
      [`adoube.invitation.${id}`, invitation],
    );
  await page.goto(`${base}/game/${id}`);
  return invitation === null ? '' : new URL(`${base}/invite/${invitation}`, page.url()).href;
}

/**
 * Creates a game on the home page; returns the invitation link, or an empty string if there is
 * none.
 */
export async function createGameInForm(page: Page, base: string, game: NewGame): Promise<string> {
  await page.goto(`${base}/`);
  await page.getByRole('radio', { name: new RegExp(game.variant) }).check();
  const opponent = game.opponent === 'machine' ? 'La machine' : 'Un ami, par un lien';
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

/** Opens an invitation and joins its game. */
export async function join(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: /^Rejoindre/ }).click();
  await expect(page).toHaveURL(/\/game\/\w{12}$/);
}

/**
 * Waits until the page shows `ply` turns. If the opponent played the last one, the server has
 * acknowledged all of them: a page shows an opponent's turn only once it has been acknowledged.
 */
export async function expectPly(page: Page, ply: number): Promise<void> {
  await expect(page.locator(`[data-ply="${ply}"]`)).toBeVisible();
  await expect(page.locator(`[data-ply="${ply + 1}"]`)).toHaveCount(0);
}

/** Plays one step on the board. */
export async function step(
  page: Page,
  from: string,
  to: string,
  input: InputMethod = 'click',
): Promise<void> {
  if (input === 'drag') {
    await square(page, from).hover();
    await page.mouse.down();
    await square(page, to).hover();
    await page.mouse.up();
    return;
  }
  if (input === 'keyboard') {
    await square(page, from).focus();
    await page.keyboard.press('Enter');
    const files = to.charCodeAt(0) - from.charCodeAt(0);
    const ranks = to.charCodeAt(1) - from.charCodeAt(1);
    const isFlipped =
      (await page.locator('button[data-square]').first().getAttribute('data-square')) === 'h1';
    const press = async (key: string, times: number): Promise<void> => {
      for (let count = 0; count < times; count += 1) await page.keyboard.press(key);
    };
    await press(files > 0 !== isFlipped ? 'ArrowRight' : 'ArrowLeft', Math.abs(files));
    await press(ranks > 0 !== isFlipped ? 'ArrowUp' : 'ArrowDown', Math.abs(ranks));
    await page.keyboard.press('Enter');
    return;
  }
  await square(page, from).click();
  await square(page, to).click();
}

/** Types a turn in SAN or coordinate notation. */
export async function type(page: Page, text: string): Promise<void> {
  const field = page.getByLabel('Saisir un coup');
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

/** Plays a legal turn, or one step of a chain, on the board; `seed` determines which one. */
export async function playAnyLegalTurn(
  page: Page,
  color: 'white' | 'black',
  seed: number,
): Promise<void> {
  const before = await placement(page);
  // Retries, because on a slow page the headline can change before the legal moves arrive, and
  // because a forced chain can continue between two checks of this test.
  await expect(async () => {
    if ((await placement(page)) === before) await tryEachPiece(page, color, seed);
    await expect.poll(() => placement(page), { timeout: 5_000 }).not.toBe(before);
  }, `a ${color} piece that can move`).toPass({ timeout: 30_000 });
}

/** Moves the first piece that has a legal move; does nothing if there is none. */
async function tryEachPiece(page: Page, color: 'white' | 'black', seed: number): Promise<void> {
  const men = await page
    .locator(`img[data-piece^="${color}-"]`)
    .evaluateAll((images) => images.map((image) => image.getAttribute('data-square') ?? ''));
  const targets = page.locator('button[data-target]');
  for (const from of men.sort((a, b) => sortKey(a, seed) - sortKey(b, seed))) {
    // In the middle of a chain, the piece that must continue is already selected.
    if ((await targets.count()) === 0) await square(page, from).click();
    const squares = await targets.evaluateAll((buttons) =>
      buttons.map((button) => button.getAttribute('data-square') ?? ''),
    );
    const inPlace = page.locator('button[data-in-place]');
    if (squares.length === 0 && (await inPlace.count()) === 0) continue;
    const [to] = squares.sort((a, b) => sortKey(a, seed + 7) - sortKey(b, seed + 7));
    await (to === undefined ? inPlace.first() : square(page, to)).click();
    const choice = page.locator('[data-promotion]').first();
    if (await choice.isVisible()) await choice.click();
    return;
  }
}

/** Returns the pieces and their squares as text. */
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

/** Returns a pseudo-random key that orders the squares differently for each seed. */
function sortKey(name: string, seed: number): number {
  const index = name.charCodeAt(0) * 8 + name.charCodeAt(1);
  return (Math.imul(index + 1, 2_654_435_761) ^ Math.imul(seed + 1, 40_503)) >>> 8;
}
