import { keep, kept } from './storage';

/** Invitations: the server tells the link once, and the browser that made the game keeps it. */
export function keepInvitation(id: string, token: string): void {
  keep(`invitation.${id}`, token);
}

export function keptInvitation(id: string): string | null {
  return kept(`invitation.${id}`);
}
