import { expect, test, type Browser, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessible';
import {
  createGame,
  createGameInForm,
  expectPly,
  expectResult,
  headline,
  type InputMethod,
  join,
  type NewGame,
  playAnyLegalTurn,
  square,
  step,
  type,
} from './game-page';

const base = process.env['ADOUBE_URL'] ?? 'http://127.0.0.1:8787';

test.setTimeout(240_000);

/** Opens the invitation link as a second person, in a separate browser context. */
async function acceptInvitation(browser: Browser, link: string): Promise<Page> {
  const context = await browser.newContext({ locale: 'fr-FR' });
  const page = await context.newPage();
  await join(page, link);
  return page;
}

/**
 * Takes screenshots of the finished game, wide and narrow, in both themes, and checks each time that
 * the page is accessible and does not scroll horizontally.
 */
async function takeScreenshots(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [1280, 860],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({
        path: `test-results/${name}-${width}-${colorScheme}.png`,
        fullPage: true,
      });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
  }
}

interface PlayedTurn {
  readonly squares: readonly string[];
  readonly input: InputMethod;
}

/** Plays the turns of both sides; each player must see every turn. */
async function playOut(white: Page, black: Page, turns: readonly PlayedTurn[]): Promise<void> {
  for (const [index, { squares, input }] of turns.entries()) {
    const page = index % 2 === 0 ? white : black;
    const [from = '', to = ''] = squares;
    await step(page, from, to, input);
    await expectPly(white, index + 1);
    await expectPly(black, index + 1);
  }
}

test('two people play chess to checkmate, using every input method', async ({ page, browser }) => {
  const link = await createGameInForm(page, base, {
    variant: 'Échecs',
    opponent: 'friend',
    color: 'Blancs',
  });
  const friend = await acceptInvitation(browser, link);
  await playOut(page, friend, [
    { squares: ['e2', 'e4'], input: 'drag' },
    { squares: ['e7', 'e5'], input: 'click' },
    { squares: ['f1', 'c4'], input: 'keyboard' },
    { squares: ['b8', 'c6'], input: 'keyboard' },
  ]);
  // An impossible move is explained and changes nothing.
  await type(page, 'Dh9');
  await expect(page.getByText(/Dh9/)).toBeVisible();
  await type(page, 'Qh5');
  await expectPly(friend, 5);
  await step(friend, 'g8', 'f6');
  await expectPly(page, 6);
  await step(page, 'h5', 'f7');
  await expectResult(page, 'Vous avez gagné', 'échec et mat');
  await expectResult(friend, 'Vous avez perdu', 'échec et mat');
  // SAN uses the French piece letters.
  await expect(friend.locator('[data-ply="7"]')).toHaveText('Dxf7#');
  await expect(page.locator('[data-ply="3"]')).toHaveText('Fc4');
  await takeScreenshots(page, 'game-chess');
});

test('two people play Baroque to checkmate', async ({ page, browser }) => {
  const link = await createGameInForm(page, base, {
    variant: 'Baroque',
    opponent: 'friend',
    color: 'Noirs',
  });
  const friend = await acceptInvitation(browser, link);
  const moves = ['g2g6', 'e7e4', 'f1h3', 'e4a4', 'h3h4', 'b7b4', 'h4e7'];
  await playOut(
    friend,
    page,
    moves.map((move, index) => ({
      squares: [move.slice(0, 2), move.slice(2)],
      input: index % 3 === 0 ? 'drag' : 'click',
    })),
  );
  await expectResult(page, 'Vous avez perdu', 'échec et mat');
  await expectResult(friend, 'Vous avez gagné', 'échec et mat');
  await takeScreenshots(page, 'game-baroque');
});

test('two people play Interweave until a chain captures a king', async ({ page, browser }) => {
  const link = await createGameInForm(page, base, {
    variant: 'Interweave',
    opponent: 'friend',
    color: 'Blancs',
  });
  const friend = await acceptInvitation(browser, link);
  const moves = ['g2h3', 'd7e6', 'd2b4', 'h7g6', 'e2c4'];
  await playOut(
    page,
    friend,
    moves.map((move) => ({ squares: [move.slice(0, 2), move.slice(2)], input: 'click' })),
  );
  // Only one step is played by hand: the rest of the chain is forced, and is played automatically.
  await step(friend, 'h8', 'h4');
  await expectResult(page, 'Vous avez perdu', 'un roi est pris');
  await expectResult(friend, 'Vous avez gagné', 'un roi est pris');
  await takeScreenshots(friend, 'game-interweave');
});

test('a chain with a choice is played step by step and can be undone before it is sent', async ({
  page,
  browser,
}) => {
  const fen = 'k6k/8/2r5/1n1nK3/8/8/8/7K[] w - - 0 1';
  const link = await createGame(page, base, {
    variant: 'Interweave',
    opponent: 'friend',
    color: 'Blancs',
    fen,
  });
  const friend = await acceptInvitation(browser, link);
  await step(page, 'e5', 'c5');
  await expect(headline(page)).toHaveText('Continuez la prise');
  // The unfinished turn has not been sent.
  await expect(friend.locator('[data-ply="1"]')).toHaveCount(0);
  await page.getByRole('button', { name: 'Annuler l’étape' }).click();
  await expect(headline(page)).toHaveText('À vous de jouer');
  await step(page, 'e5', 'c5');
  await square(page, 'a5').click();
  await expectPly(friend, 1);
  await expect(friend.locator('[data-ply="1"]')).toHaveText('Rxc5(d5);Rxa5(b5)');
});

test('the pieces that a move would capture are marked while a piece is dragged', async ({
  page,
}) => {
  const fen = '7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1';
  await createGame(page, base, { variant: 'Baroque', opponent: 'machine', color: 'Blancs', fen });
  await square(page, 'c2').hover();
  await page.mouse.down();
  await square(page, 'c4').hover();
  await expect(page.locator('button[data-taken]')).toHaveCount(2);
  await expect(square(page, 'd4')).toHaveAttribute('data-taken');
  await expect(square(page, 'c5')).toHaveAttribute('data-taken');
  await page.screenshot({ path: 'test-results/marked-captures.png' });
  await square(page, 'c3').hover();
  await expect(page.locator('button[data-taken]')).toHaveCount(0);
  await page.mouse.up();
});

/** Games that the machine wins quickly against random play. */
const machineGames: readonly NewGame[] = [
  {
    variant: 'Échecs',
    opponent: 'machine',
    color: 'Blancs',
    level: 10,
    fen: '3qk2r/5ppp/8/8/8/8/P6P/4K3 w - - 0 1',
  },
  {
    variant: 'Baroque',
    opponent: 'machine',
    color: 'Blancs',
    level: 10,
    fen: 'rnbqk3/pppp4/8/8/8/8/P6P/4K3 w - - 0 1',
  },
  {
    variant: 'Interweave',
    opponent: 'machine',
    color: 'Noirs',
    level: 10,
    fen: 'k6k/p6p/8/8/8/8/PPPPPPPP/KNBRRBNK[] w - - 0 1',
  },
];

for (const game of machineGames) {
  test(`the machine plays ${game.variant} to the end`, async ({ page }) => {
    await createGameInForm(page, base, game);
    const color = game.color === 'Blancs' ? 'white' : 'black';
    const resultPattern = /gagné|perdu|nulle/;
    for (let turn = 0; turn < 200; turn += 1) {
      await expect(headline(page)).toHaveText(
        /À vous de jouer|Continuez la prise|Vous avez gagné|Vous avez perdu|Partie nulle/,
        { timeout: 20_000 },
      );
      if (resultPattern.test((await headline(page).textContent()) ?? '')) break;
      const before = await headline(page).textContent();
      await playAnyLegalTurn(page, color, turn);
      if (before === 'À vous de jouer')
        await expect(page.locator('[data-ply]').first()).toBeVisible();
    }
    await expect(headline(page)).toHaveText(resultPattern);
    await takeScreenshots(
      page,
      `machine-${game.variant === 'Échecs' ? 'chess' : game.variant.toLowerCase()}`,
    );
  });
}

test('unknown addresses and used invitations are explained', async ({ page, browser }) => {
  await page.goto(`${base}/game/zzzzzzzzzzzz`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Une erreur est survenue');
  await expectAccessible(page);
  const link = await createGame(page, base, {
    variant: 'Échecs',
    opponent: 'friend',
    color: 'Blancs',
  });
  await acceptInvitation(browser, link);
  const third = await (await browser.newContext({ locale: 'fr-FR' })).newPage();
  await third.goto(link);
  await expect(third.getByText(/déjà/)).toBeVisible();
  await expectAccessible(third);
});
