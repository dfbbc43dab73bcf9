import { createChallenge, createSeek } from './hall/calls';
import { createGame } from './http';
import { storeInvitation } from './invitations';
import { router } from './routing/router.svelte';
import { pathOf } from './routing/routes';
import { settingsOf, type GameRequest } from './game-request';
import type { CreateGame, Level } from './api';

/** Creates a game and opens it. Repeating a `command` opens the same game. */
export async function startGame(newGame: CreateGame): Promise<void> {
  router.prepare('game');
  const { id, invitation } = await createGame(newGame);
  if (invitation !== null) storeInvitation(id, invitation);
  router.go(pathOf('game', { id }));
}

/** Sends the request from the form and opens the resulting page. */
export async function submitRequest(
  request: GameRequest,
  { command, level, name }: { command: string; level: Level; name: string },
): Promise<void> {
  const { color, opponent } = request;
  const settings = settingsOf(request);
  switch (opponent) {
    case 'machine':
      return startGame({ command, color, opponent: { type: 'machine', level }, ...settings });
    case 'friend':
      return startGame({ command, color, opponent: { type: 'friend' }, ...settings });
    case 'anyone':
      await createSeek({ command, color, ...settings });
      return router.go(pathOf('hall'));
    case 'named':
      await createChallenge({ command, to: name.trim(), color, ...settings });
      return router.go(pathOf('hall'));
  }
}
