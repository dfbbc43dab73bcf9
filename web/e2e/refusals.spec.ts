import { expect, test } from '@playwright/test';
import { expectAccessible, expectAccessibleInBothThemes } from './accessible';
import { createGame, expectResult, headline, join, square, step, type } from './game-page';

test('a pawn is promoted to the chosen piece, and the choice can be cancelled', async ({
  page,
}) => {
  const fen = '8/P6k/8/8/8/8/8/K7 w - - 0 1';
  await createGame(page, '', { variant: 'Échecs', opponent: 'machine', color: 'Blancs', fen });
  await step(page, 'a7', 'a8', 'drag');
  const dialog = page.getByRole('dialog', { name: 'Promotion' });
  await expect(dialog).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(square(page, 'a8')).toBeFocused();
  await expect(page.locator('[data-ply="1"]')).toHaveCount(0);

  // The dialog is closed, and the pawn is still selected.
  await square(page, 'a8').click();
  await dialog.getByRole('button', { name: 'cavalier blanc' }).click();
  await expectResult(page, 'Partie nulle', 'matériel insuffisant pour mater');
  await expect(page.locator('[data-ply="1"]')).toHaveText('a8=C');
});

test('a typed turn that cannot be played is explained beside the field', async ({ page }) => {
  await createGame(page, '', { variant: 'Échecs', opponent: 'machine', color: 'Blancs' });
  const refusals = {
    bonjour: '« bonjour » n’est pas un coup',
    e2e5: 'Coup illégal : la pièce en e2 ne peut pas aller en e5.',
    e4e5: 'La case e4 est vide.',
    e7e5: 'La pièce en e7 appartient aux Noirs.',
    Cd5: '« Cd5 » n’est pas un coup légal ici.',
  };
  for (const [turn, words] of Object.entries(refusals)) {
    await type(page, turn);
    await expect(page.getByRole('alert')).toContainText(words);
  }
  // As with a step on the board, the reasons are shown too, until the text changes.
  const reasons = page.locator('.refused');
  await expect(reasons).toContainText(/cavalier.* ne se déplace jamais ainsi/);
  await expectAccessible(page);
  await page.getByLabel('Saisir un coup').fill('C');
  await expect(reasons).toHaveCount(0);
  await expect(page.locator('[data-ply="1"]')).toHaveCount(0);
  await type(page, 'e4');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.locator('[data-ply="1"]')).toHaveText('e4');
});

test('a visitor with a used invitation can watch the game', async ({ page, browser }) => {
  const link = await createGame(page, '', {
    variant: 'Baroque',
    opponent: 'friend',
    color: 'Blancs',
  });
  const friend = await (await browser.newContext({ locale: 'fr-FR' })).newPage();
  await join(friend, link);
  await expect(headline(page)).toHaveText('À vous de jouer');
  const third = await (await browser.newContext({ locale: 'fr-FR' })).newPage();
  await third.goto(link);
  // Nobody in this game has a name.
  await expect(
    third.getByText('Quelqu’un d’autre a déjà pris cette place.', { exact: true }),
  ).toBeVisible();
  await third.getByRole('link', { name: 'Regarder la partie' }).click();
  await expect(headline(third)).toHaveText('Aux Blancs de jouer');
  await step(page, 'e2', 'e4');
  await expect(third.locator('[data-ply="1"]')).toHaveText('Pe2-e4');
  await expect(third.getByRole('button', { name: 'Abandonner' })).toHaveCount(0);
});

const inEachLanguage = {
  'fr-FR': ['Cette partie n’existe pas.', 'Cette invitation n’existe pas.', /FEN\u00a0: 7\./],
  'en-GB': ['This game does not exist.', 'This invitation does not exist.', /FEN: 7\./],
  'es-ES': ['Esta partida no existe.', 'Esta invitación no existe.', /FEN: 7\./],
} as const;

for (const [locale, [noGame, noInvitation, sevenRanks]] of Object.entries(inEachLanguage)) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test('a missing game and an invalid position are explained', async ({ page }) => {
      await page.goto('/game/AAAAAAAAAAAA');
      await expect(page.getByRole('alert')).toContainText(noGame);
      await page.goto('/invite/AAAAAAAAAAAAAAAAAAAAAA');
      await expect(page.getByRole('alert')).toContainText(noInvitation);
      await expectAccessible(page);
      await page.goto('/');
      await page.locator('main summary').first().click();
      await page.locator('input[type=radio][value=fen]').check();
      await page.locator('#fen').fill('8/8/8/8/8/8/8 w - - 0 1');
      await expect(page.locator('#fen-check')).toHaveText(sevenRanks);
    });
  });
}
