import { keep, kept } from './storage';

/** The server tells the link of an invitation once; the browser of the one who invites keeps it. */
export function keepInvitation(id: string, token: string): void {
  keep(`invitation.${id}`, token);
}

export function keptInvitation(id: string): string | null {
  return kept(`invitation.${id}`);
}
