import { keep, kept } from './storage';

/** Stores an invitation link in the browser that created the game: the server sends it only once. */
export function keepInvitation(id: string, token: string): void {
  keep(`invitation.${id}`, token);
}

export function keptInvitation(id: string): string | null {
  return kept(`invitation.${id}`);
}
