/** Tests games against the machine: takebacks, draw offers, the list of games, and sharing. */
import { expect, test } from '@playwright/test';
import { expectAccessible } from './accessible';
import { createGame, expectResult, headline, showAll, step } from './game-page';

test('the machine accepts a takeback at once, and after the game another level is offered', async ({
  page,
}) => {
  await createGame(page, '', {
    variant: 'Baroque',
    opponent: 'machine',
    color: 'Blancs',
    level: 2,
  });
  await expect(page).toHaveTitle(/Baroque, contre Machine, douce/);
  await step(page, 'e2', 'e4');
  await expect(page.locator('[data-ply="2"]')).toBeVisible();
  await page.getByRole('button', { name: 'Reprendre le coup' }).click();
  await expect(page.locator('[data-ply]')).toHaveCount(0);
  await step(page, 'd2', 'd4');
  await expect(page.locator('[data-ply="2"]')).toBeVisible();
  await step(page, 'd4', 'd5');
  await page.getByRole('button', { name: 'Abandonner' }).click();
  await page.getByRole('button', { name: 'Confirmer l’abandon' }).click();
  await page.getByRole('button', { name: 'Plus difficile : tranquille' }).click();
  await expect(page).toHaveTitle(/Baroque, contre Machine, tranquille/);
  await expect(page.getByText('Noirs', { exact: true }).last()).toBeVisible();
});

test('the machine declines a draw, but agrees to one when it is losing', async ({ page }) => {
  const machine = { opponent: 'machine', color: 'Blancs', level: 2 } as const;
  const offer = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Proposer nulle' }).click();
    await page.getByRole('button', { name: 'Confirmer la proposition' }).click();
  };
  await createGame(page, '', { ...machine, variant: 'Interweave' });
  await offer();
  await expect(page.getByText('La proposition de nulle est refusée.').first()).toBeVisible();
  await expect(headline(page)).toHaveText('À vous de jouer');
  // A queen against a bare king.
  await createGame(page, '', {
    ...machine,
    variant: 'Échecs',
    fen: '4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1',
  });
  await offer();
  await expectResult(page, 'Partie nulle', 'accord mutuel');
});

test('games against the machine are listed separately, and several can be resigned at once', async ({
  page,
}) => {
  for (const level of [1, 2, 3])
    await createGame(page, '', { variant: 'Échecs', opponent: 'machine', color: 'Blancs', level });
  await page.goto('/games');
  const panel = page.getByRole('region', { name: 'Contre la machine' });
  await expect(panel.getByRole('listitem')).toHaveCount(3);
  await expect(panel.getByText('niveau 2 (douce)').last()).toBeVisible();
  await expect(
    page.getByText('Contre la machine, c’est à vous de jouer dans 3 parties.'),
  ).toBeVisible();
  const board = panel.locator('img').first();
  await expect
    .poll(() => board.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  await expectAccessible(page);
  await panel.getByRole('checkbox').nth(0).check();
  await panel.getByRole('checkbox').nth(2).check();
  await panel.getByRole('button', { name: 'Abandonner les 2 parties choisies' }).click();
  await panel.getByRole('button', { name: 'Abandonner les 2 pour de bon' }).click();
  await expect(panel.getByRole('listitem')).toHaveCount(1);
  await expect(panel.getByText('niveau 2 (douce)').last()).toBeVisible();
});

test('the share panel has the link to the game and a picture', async ({ page, request }) => {
  await createGame(page, '', {
    variant: 'Baroque',
    opponent: 'machine',
    color: 'Blancs',
    level: 1,
  });
  await showAll(page);
  await page.getByText('Partager', { exact: true }).click();
  await expect(page.getByRole('button', { name: 'Copier le lien de la partie' })).toBeVisible();
  const path = await page.getByRole('link', { name: 'Télécharger l’image' }).getAttribute('href');
  const picture = await request.get(path ?? '');
  expect(picture.headers()['content-type']).toBe('image/svg+xml');
});
