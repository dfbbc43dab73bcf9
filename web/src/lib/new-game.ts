import { createGame } from './http';
import { keepInvitation } from './invitations';
import { router } from './router.svelte';
import { gamePath } from './routes';
import type { CreateGame } from './api';

/** Creates a game and goes there. The same `command` twice gives the same game. */
export async function startGame(wanted: CreateGame): Promise<void> {
  const { id, invitation } = await createGame(wanted);
  if (invitation !== null) keepInvitation(id, invitation);
  router.go(gamePath(id));
}
