/**
 * Tests the game page at fixed window sizes: the elements beside the board, the layout on a phone,
 * and the absence of layout shifts.
 */
import { expect, test, type Browser, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, smallTargets } from './accessible';
import { createGame, expectPly, headline, join, square, step } from './game-page';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };
const LANDSCAPE = { width: 740, height: 360 };

/** Opens a page in a separate browser context, as a different visitor. */
async function visitor(browser: Browser, viewport = WIDE): Promise<Page> {
  const isPhone = viewport !== WIDE;
  const context = await browser.newContext({ locale: 'fr-FR', viewport, hasTouch: isPhone });
  return context.newPage();
}

/** Starts a game between two people; White creates it. */
async function start(
  browser: Browser,
  viewport: typeof WIDE,
  clock?: string,
): Promise<{ white: Page; black: Page }> {
  const [white, black] = [await visitor(browser, viewport), await visitor(browser, viewport)];
  const link = await createGame(white, '', {
    variant: 'Échecs',
    opponent: 'friend',
    color: 'Blancs',
    ...(clock === undefined ? {} : { clock }),
  });
  await join(black, link);
  await expect(headline(white)).toHaveText('À vous de jouer');
  return { white, black };
}

/** Records layout shifts from now on, including those caused by input. */
async function watchShifts(page: Page): Promise<void> {
  await page.evaluate(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & {
          value: number;
          sources: { node: Node | null }[];
        };
        const moved = sources.map(({ node }) => (node instanceof Element ? node.outerHTML : ''));
        shifts.push(`${value}: ${moved.map((html) => html.slice(0, 120)).join(' | ')}`);
      }
    }).observe({ type: 'layout-shift' });
  });
}

const shifts = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { shifts: string[] }).shifts);

for (const viewport of [WIDE, PHONE])
  test(`the layout does not shift during a game at ${viewport.width} pixels`, async ({
    browser,
  }) => {
    const { white, black } = await start(browser, viewport, '5 + 3');
    await white.waitForLoadState('networkidle');
    await watchShifts(white);
    await step(white, 'e2', 'e4');
    await expectPly(black, 1);
    await step(black, 'd7', 'd5');
    await expectPly(white, 2);
    await step(white, 'e4', 'd5');
    await expectPly(black, 3);
    // A turn is planned and then discarded.
    await step(white, 'b1', 'c3');
    await expect(white.getByRole('region', { name: 'Coup d’avance' })).toBeVisible();
    await white.getByRole('button', { name: 'Annuler', exact: true }).click();
    await step(black, 'd8', 'd5');
    await expectPly(white, 4);
    // The opponent makes a proposal, which is declined.
    await black.getByRole('button', { name: 'Reprendre le coup' }).click();
    await black.getByRole('button', { name: 'Demander à reprendre' }).click();
    await expect(white.getByText('L’adversaire voudrait reprendre').first()).toBeVisible();
    await white.getByRole('button', { name: 'Refuser' }).click();
    await step(white, 'b1', 'c3');
    await expectPly(black, 5);
    await white.keyboard.press('ArrowLeft');
    await white.keyboard.press('ArrowRight');
    expect(await shifts(white)).toEqual([]);
  });

test('everything that can be pressed on a phone is at least 44 pixels high and wide', async ({
  browser,
}) => {
  const { white, black } = await start(browser, PHONE, '5 + 3');
  await step(white, 'e2', 'e4');
  await expectPly(black, 1);
  for (const viewport of [PHONE, LANDSCAPE])
    for (const page of [white, black]) {
      await page.setViewportSize(viewport);
      expect(await smallTargets(page)).toEqual([]);
    }
  await black.setViewportSize(PHONE);
  await black.getByRole('button', { name: 'Les pièces' }).click();
  expect(await smallTargets(black)).toEqual([]);
});

test('on a phone, the step buttons and the actions are under the board, which reaches both edges', async ({
  browser,
}) => {
  const { white } = await start(browser, PHONE);
  await expect(white.getByRole('navigation')).toHaveCount(0);
  const board = await white.getByRole('grid').boundingBox();
  expect(board?.width).toBeGreaterThan(352);
  for (const name of ['Coup précédent', 'Coup suivant', 'Annuler la partie', 'Proposer nulle']) {
    const box = await white.getByRole('button', { name }).boundingBox();
    expect(box?.y, name).toBeGreaterThan((board?.y ?? 0) + (board?.height ?? 0));
    expect((box?.y ?? 0) + (box?.height ?? 0), name).toBeLessThanOrEqual(PHONE.height);
  }
  await expectNoSidewaysScroll(white);
  await white.getByRole('button', { name: 'Tout afficher' }).click();
  await expect(white.getByLabel('Écrire un message')).toBeVisible();
  await expectAccessible(white);
});

for (const viewport of [PHONE, LANDSCAPE])
  test(`the end of a game fits on a phone screen of ${viewport.width} × ${viewport.height} pixels`, async ({
    browser,
  }) => {
    const page = await visitor(browser, viewport);
    await createGame(page, '', {
      variant: 'Échecs',
      opponent: 'machine',
      color: 'Blancs',
      level: 4,
    });
    await step(page, 'e2', 'e4');
    await expect(page.locator('[data-ply="2"]')).toBeVisible();
    await step(page, 'd2', 'd4');
    await page.getByRole('button', { name: 'Abandonner' }).click();
    await page.getByRole('button', { name: 'Confirmer l’abandon' }).click();
    await page.evaluate(() => window.scrollTo(0, 0));
    const inWindow = [
      page.locator('.status'),
      page.getByRole('link', { name: 'Analyser la partie' }),
      page.getByRole('button', { name: 'Demander pourquoi' }),
      page.locator('[data-ply="3"]'),
      page.getByRole('button', { name: 'Revanche' }),
      page.getByRole('button', { name: /^Plus difficile : / }),
      page.getByRole('link', { name: 'Autre jeu' }),
      page.getByText('Vous', { exact: true }),
    ];
    for (const each of inWindow) await expect(each).toBeInViewport({ ratio: 1 });
  });

for (const variant of ['chess', 'baroque', 'interweave', 'ultima'])
  for (const viewport of [WIDE, PHONE])
    test(`the pieces of ${variant} are explained beside the board at ${viewport.width} pixels`, async ({
      browser,
    }) => {
      const page = await visitor(browser, viewport);
      await page.goto('/');
      await page.locator(`input[value=${variant}]`).check();
      await page.getByRole('button', { name: 'Jouer', exact: true }).click();
      const opener = page.getByRole('button', { name: 'Les pièces' });
      await opener.click();
      const sheet = page.getByRole('dialog', { name: 'Les pièces' });
      const men = sheet.getByRole('listitem');
      await expect(men).toHaveCount(await men.locator('img').count());
      expect(await men.count()).toBeGreaterThan(4);
      for (const man of await men.all()) {
        await expect(man.getByRole('heading', { level: 3 })).not.toBeEmpty();
        await expect(man.getByText(/^Déplacement\s:\s.{10,}/)).toBeVisible();
        await expect(man.getByText(/^Prise\s:\s.{10,}/)).toBeVisible();
        await expect(man.getByText(/^Lettre\s:\s([A-Z]|aucune)$/)).toBeVisible();
        const link = man.getByRole('link');
        await expect(link).toHaveAttribute('href', new RegExp(`^/rules/${variant}#[A-Z]\\d+$`));
      }
      // In chess, notation does not name the pawn.
      const unnamed = men.filter({ hasText: /Lettre\s:\saucune/ });
      await expect(unnamed).toHaveCount(variant === 'chess' ? 1 : 0);
      for (const man of await unnamed.all())
        await expect(man.getByRole('heading', { level: 3 })).toContainText(/\bpion\b/i);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page, 'dialog[open]');
      await page.keyboard.press('Escape');
      await expect(sheet).toBeHidden();
      await expect(opener).toBeFocused();
    });

test('the list of pieces covers neither clocks nor turns, and one Escape closes it', async ({
  browser,
}) => {
  const page = await visitor(browser);
  const game = { variant: 'Échecs', opponent: 'machine', color: 'Noirs' } as const;
  await createGame(page, '', { ...game, clock: '5 + 3' });
  await expect(headline(page)).toHaveText('À vous de jouer');
  await page.getByRole('button', { name: 'Les pièces' }).click();
  const sheet = page.getByRole('dialog', { name: 'Les pièces' });
  await expect(sheet.getByRole('heading', { name: 'cavalier noir' })).toBeVisible();
  const left = (await sheet.boundingBox())?.x ?? 0;
  const beside = [
    page.locator('[data-clock="white"]'),
    page.locator('[data-clock="black"]'),
    page.locator('[data-ply="1"]'),
    page.getByRole('button', { name: 'Proposer nulle' }),
  ];
  for (const element of beside) {
    await expect(element).toBeInViewport({ ratio: 1 });
    const box = await element.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(left);
  }
  await expectNoSidewaysScroll(page);
  // A piece is selected, and the reason why it cannot move is shown.
  const reason = page.locator('.refused');
  await square(page, 'a8').click();
  await expect(reason).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await expect(reason).toBeVisible();
  await expect(square(page, 'a8')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(reason).toBeHidden();
});

test('the loss of the network is reported, as is a turn that was not sent', async ({ browser }) => {
  const { white, black } = await start(browser, WIDE);
  await white.context().setOffline(true);
  await expect(white.getByText('Connexion perdue')).toBeVisible();
  await step(white, 'e2', 'e4');
  await expect(white.getByText('Coup pas encore envoyé')).toBeVisible();
  await white.context().setOffline(false);
  await expectPly(black, 1);
  await expect(white.getByText('Coup pas encore envoyé')).toBeHidden();
});

test('keys and the mouse wheel step through the game, and a list shows the keys', async ({
  browser,
}) => {
  const { white, black } = await start(browser, WIDE);
  await step(white, 'e2', 'e4');
  await expectPly(black, 1);
  await step(black, 'e7', 'e5');
  await expectPly(white, 2);
  const expectShown = (ply: number) =>
    expect(white.locator(`[data-ply="${ply}"]`)).toHaveAttribute('aria-current', 'step');
  await white.getByRole('grid').hover();
  await white.mouse.wheel(0, -100);
  await expectShown(1);
  await white.mouse.wheel(0, 100);
  await expectShown(2);
  await white.keyboard.press('ArrowLeft');
  await expectShown(1);
  await white.keyboard.press('f');
  await expect(white.locator('button[data-square]').first()).toHaveAttribute('data-square', 'h1');
  await white.keyboard.press('?');
  const list = white.getByRole('dialog', { name: 'Touches et souris' });
  await expect(list).toContainText('retourner l’échiquier');
  await expectAccessible(white, 'dialog[open]');
  await white.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await expectShown(1);
});

test('on a phone, “J’adoube” and the obligation are visible without scrolling', async ({
  browser,
}) => {
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 390, height: 664 },
  ]) {
    const page = await visitor(browser, viewport);
    const game = { variant: 'Échecs', opponent: 'machine', color: 'Blancs' } as const;
    await createGame(page, '', { ...game, touchMove: true });
    const adjust = page.getByRole('button', { name: 'J’adoube' });
    await expect(adjust).toBeInViewport({ ratio: 1 });
    await square(page, 'e2').click();
    await expect(page.getByText(/il faut jouer la pièce en e2/)).toBeInViewport({ ratio: 1 });
    await adjust.click();
    await expect(adjust).toBeDisabled();
  }
});

test('while a game waits for an opponent, both clocks are in the window', async ({ browser }) => {
  const page = await visitor(browser);
  const game = { variant: 'Interweave', opponent: 'friend', color: 'Blancs' } as const;
  await createGame(page, '', { ...game, clock: '5 + 3' });
  const clock = (color: string) => page.locator(`[data-clock="${color}"]`);
  for (const viewport of [WIDE, { width: 1366, height: 657 }]) {
    await page.setViewportSize(viewport);
    for (const color of ['white', 'black']) await expect(clock(color)).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize(WIDE);
  await expect(page.getByRole('button', { name: 'Annuler l’invitation' })).toBeInViewport({
    ratio: 1,
  });
  await page.getByText('Code QR, pour la personne en face').click();
  await expect(page.getByRole('img', { name: /code QR/i })).toBeVisible();
  await expect(clock('white')).toBeInViewport({ ratio: 1 });
});

test('captured pieces and the difference in material are shown beside the names', async ({
  browser,
}) => {
  const { white, black } = await start(browser, WIDE);
  await step(white, 'e2', 'e4');
  await expectPly(black, 1);
  await step(black, 'd7', 'd5');
  await expectPly(white, 2);
  await expect(white.getByRole('list', { name: 'Pièces prises' })).toHaveCount(0);
  await step(white, 'e4', 'd5');
  await expectPly(black, 3);
  for (const page of [white, black]) {
    const taken = page.getByRole('list', { name: 'Pièces prises' });
    await expect(taken.getByRole('img', { name: 'pion noir' })).toBeVisible();
    await expect(page.getByText('une pièce d’avance')).toHaveCount(1);
  }
});

for (const [variant, fen, from, to, roles] of [
  ['Échecs', '7k/P7/8/8/8/8/8/K7 w - - 0 1', 'a7', 'a8', 4],
  ['Interweave', '3kk3/1P6/8/8/8/8/8/3KK3[RNBrnb] w - - 0 1', 'b7', 'a8', 3],
] as const)
  test(`a promotion is chosen by touch in ${variant}`, async ({ browser }) => {
    const page = await visitor(browser, PHONE);
    await createGame(page, '', { variant, opponent: 'machine', color: 'Blancs', level: 1, fen });
    await square(page, from).tap();
    await square(page, to).tap();
    const picker = page.getByRole('dialog', { name: 'Promotion' });
    // The tap that opens it must not choose the piece that appears under the finger.
    await expect(picker.locator('[data-promotion]')).toHaveCount(roles + 1);
    await page.waitForTimeout(600);
    const last = picker.locator('[data-promotion]').nth(roles - 1);
    const role = await last.getAttribute('data-promotion');
    await last.tap();
    await expect(page.locator('[data-ply="1"]')).toBeVisible();
    await expect(page.locator(`img[data-square="${to}"]`)).toHaveAttribute(
      'data-piece',
      `white-${role}`,
    );
  });
