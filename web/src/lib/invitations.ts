import { writeStored, readStored } from './storage';

/**
 * Stores an invitation's token in the browser that created the game, because the server sends it
 * only once.
 */
export function storeInvitation(id: string, token: string): void {
  writeStored(`invitation.${id}`, token);
}

export function storedInvitation(id: string): string | null {
  return readStored(`invitation.${id}`);
}
