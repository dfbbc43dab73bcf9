import { expect, test, type Locator, type Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from './accessible';
import { createGame, join, square } from './game-page';

/** Switches a diagram on the rule page to question mode and returns its figure. */
async function openQuestion(page: Page, diagram: string): Promise<Locator> {
  await page.goto('/rules/baroque');
  const figure = page.locator(`figure[data-diagram="${diagram}"]`);
  await figure.getByRole('button', { name: 'Demander pourquoi' }).click();
  return figure;
}

function reply(figure: Locator): Locator {
  return figure.getByRole('region', { name: 'Réponse' });
}

test('an illegal move is explained, with the clause', async ({ page }) => {
  const figure = await openQuestion(page, 'hidden-check');
  await figure.locator('button[data-square="e4"]').click();
  await expect(reply(figure)).toContainText('Le roi blanc en e4');
  await figure.locator('button[data-square="e5"]').click();
  await expect(reply(figure)).toContainText(
    'le pion pinceur noir en a5 va en d5 et prend le roi blanc en e5, pincé contre la pièce en f5',
  );
  // The path of the pawn and the line of the pincer capture are drawn.
  await expect(figure.locator('[data-drawing="shift-a5-d5"]')).toHaveCount(1);
  await expect(figure.locator('line[data-drawing="shift-d5-f5"]')).toHaveCount(1);
  await expectAccessible(page, 'figure[data-diagram="hidden-check"]');
  await expectNoSidewaysScroll(page);
  await reply(figure).getByRole('link', { name: 'Règle B12' }).click();
  await expect(page).toHaveURL(/\/rules\/baroque#B12$/);
  await expect(page.locator('#B12')).toBeInViewport();
});

test('when a diagram refuses a move, it shows the reason until another move is tried', async ({
  page,
}) => {
  await page.goto('/rules/baroque#diagram-20');
  const figure = page.locator('figure[data-diagram="hidden-check"]');
  await expect(figure.getByText('Diagramme\u00a020.')).toBeInViewport();
  const answer = figure.locator('.refused');
  await figure.locator('button[data-square="e4"]').click();
  await figure.locator('button[data-square="e5"]').click();
  await expect(answer).toContainText('prend le roi blanc en e5, pincé contre la pièce en f5');
  await expect(answer.getByRole('link', { name: 'Règle B12' })).toBeVisible();
  await expect(figure.locator('line[data-drawing="shift-d5-f5"]')).toHaveCount(1);
  await expectAccessible(page, 'figure[data-diagram="hidden-check"]');
  await figure.locator('button[data-square="e4"]').click();
  await expect(answer).toHaveCount(0);
  await figure.locator('button[data-square="e3"]').click();
  await expect(figure.locator('img[data-square="e3"]')).toHaveCount(1);
});

test('pointing at a piece shows what it captures, and how', async ({ page }) => {
  const figure = await openQuestion(page, 'coordinator');
  await figure.locator('button[data-square="c2"]').hover();
  await expect(reply(figure)).toContainText('En c5 : prend');
  await expect(reply(figure)).toContainText('au coin du rectangle formé avec le roi en h7');
  await expect(figure.locator('circle.dot[data-drawing="plain-c5"]')).toHaveCount(1);
  // Selecting a square then shows the rectangle that a move there would form. Nothing is played.
  await figure.locator('button[data-square="c2"]').click();
  await figure.locator('button[data-square="c5"]').click();
  await expect(reply(figure)).toContainText('vers c5 : coup légal');
  // There are four lines. Each is drawn twice: as a wider rim, and as the line itself on top of it.
  await expect(figure.locator('line')).toHaveCount(8);
  await expect(figure.locator('img[data-square="c2"]')).toHaveCount(1);
});

test('questions can be asked with the keyboard', async ({ page }) => {
  const figure = await openQuestion(page, 'frozen');
  await figure.locator('button[data-square="d5"]').focus();
  await expect(reply(figure)).toContainText('figée par l’immobiliseur blanc en e5');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(reply(figure)).toContainText('vers d6 : coup illégal');
  await page.keyboard.press('Escape');
  await expect(reply(figure)).not.toContainText('illégal');
});

async function askAboutKing(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Demander pourquoi' }).click();
  await square(page, 'e1').click();
  await square(page, 'g1').hover();
  await square(page, 'c1').hover();
  await expect(page.getByRole('region', { name: 'Réponse' })).toContainText('Le roi blanc en e1');
  await square(page, 'e3').click();
  await expect(page.getByRole('region', { name: 'Réponse' })).toContainText('coup illégal');
}

test('questions are answered during a game against the machine', async ({ page, baseURL }) => {
  await createGame(page, baseURL ?? '', {
    variant: 'Échecs',
    opponent: 'machine',
    color: 'Blancs',
  });
  await expect(page.getByRole('button', { name: 'Annuler la partie' })).toBeVisible();
  await askAboutKing(page);
});

test('in a game between two people, questions are answered only after the game', async ({
  page,
  browser,
  baseURL,
}) => {
  const link = await createGame(page, baseURL ?? '', {
    variant: 'Échecs',
    opponent: 'friend',
    color: 'Blancs',
  });
  const friend = await (await browser.newContext({ locale: 'fr-FR' })).newPage();
  await join(friend, link);
  await expect(page.getByRole('button', { name: 'Annuler la partie' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Demander pourquoi' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Annuler la partie' }).click();
  await page.getByRole('button', { name: 'Confirmer l’annulation' }).click();
  await askAboutKing(page);
  await friend.context().close();
});
