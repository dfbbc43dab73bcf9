import { expect, test } from '@playwright/test';
import { RestartableServer } from './server';
import {
  createGame,
  expectPly,
  expectResult,
  headline,
  join,
  playAnyLegalTurn,
  step,
} from './game-page';

let server: RestartableServer;

test.beforeEach(async () => {
  server = await RestartableServer.start();
});

test.afterEach(async () => {
  await server.stop();
});

test('two people continue their game after kill -9', async ({ page, browser }) => {
  const link = await createGame(page, server.url, {
    variant: 'Baroque',
    opponent: 'friend',
    color: 'Blancs',
  });
  const friend = await (await browser.newContext({ locale: 'fr-FR' })).newPage();
  await join(friend, link);
  await expect(friend).toHaveURL(/\/game\/\w{12}$/);
  const moves = ['g2g6', 'e7e4', 'f1h3', 'e4a4', 'h3h4', 'b7b4', 'h4e7'];
  for (const [index, move] of moves.entries()) {
    const [mover, other] = index % 2 === 0 ? [page, friend] : [friend, page];
    await step(mover, move.slice(0, 2), move.slice(2));
    // The opponent's page shows a turn only after the server has acknowledged it.
    await expectPly(other, index + 1);
    await expectPly(mover, index + 1);
    if (index === 2 || index === 4) {
      await server.kill();
      await expect(mover.getByText('Connexion perdue, nouvel essai…')).toBeVisible({
        timeout: 20_000,
      });
      await server.restart();
      await expect(mover.getByText('Connexion perdue, nouvel essai…')).toBeHidden({
        timeout: 20_000,
      });
      await expectPly(mover, index + 1);
    }
    // A reloaded page shows the same position.
    if (index === 4) await friend.reload();
    await expectPly(friend, index + 1);
  }
  await expectResult(page, 'Vous avez gagné', 'échec et mat');
  await expectResult(friend, 'Vous avez perdu', 'échec et mat');
  // A restarted server still has the finished game.
  await server.kill();
  await server.restart();
  await page.reload();
  await expectResult(page, 'Vous avez gagné', 'échec et mat');
});

test('a turn played while the server is down is sent when it is back', async ({
  page,
  browser,
}) => {
  const link = await createGame(page, server.url, {
    variant: 'Échecs',
    opponent: 'friend',
    color: 'Blancs',
  });
  const friend = await (await browser.newContext({ locale: 'fr-FR' })).newPage();
  await join(friend, link);
  await expect(headline(page)).toHaveText('À vous de jouer');
  await server.kill();
  await step(page, 'e2', 'e4');
  await server.restart();
  await expectPly(friend, 1);
  await expect(headline(friend)).toHaveText('À vous de jouer');
  await expectPly(page, 1);
});

test('the machine continues its game after kill -9', async ({ page }) => {
  await createGame(page, server.url, {
    variant: 'Interweave',
    opponent: 'machine',
    color: 'Blancs',
    level: 7,
  });
  let killed = false;
  for (let turn = 0; turn < 100; turn += 1) {
    await expect(headline(page)).toHaveText(
      /À vous de jouer|Continuez la prise|gagné|perdu|nulle/,
      {
        timeout: 30_000,
      },
    );
    if (/gagné|perdu|nulle/.test((await headline(page).textContent()) ?? '')) break;
    await playAnyLegalTurn(page, 'white', turn);
    if (turn === 4) {
      // The machine may still be thinking or have just replied; the game must continue either way.
      await server.kill();
      await server.restart();
      killed = true;
    }
  }
  expect(killed).toBe(true);
  await expect(headline(page)).toHaveText(/gagné|perdu|nulle/);
});
