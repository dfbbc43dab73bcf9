import { requestVoid, json, webSocketUrl, withBody } from '../http';
import type {
  ChallengeList,
  CreateChallenge,
  CreatedChallenge,
  CreatedSeek,
  CreateSeek,
  JoinedGame,
  PairingResult,
} from '../api';

/**
 * Returns the URL of the visitor's socket, on which the server first sends either the whole hall or
 * only the visitor's own part of it.
 */
export function hallSocketUrl({ lists }: { lists: boolean }): string {
  const url = webSocketUrl('/api/hall/socket');
  url.searchParams.set('lists', String(lists));
  return url.href;
}

/**
 * Starts a game with a visitor who is waiting for the same game; if there is none, this visitor
 * waits.
 */
export const pair = (body: CreateSeek): Promise<PairingResult> =>
  json('/api/pairings', withBody('POST', body));

export const createSeek = (body: CreateSeek): Promise<CreatedSeek> =>
  json('/api/seeks', withBody('POST', body));

export const deleteSeek = (id: string): Promise<void> =>
  requestVoid(`/api/seeks/${encodeURIComponent(id)}`, { method: 'DELETE' });

export const acceptSeek = (id: string): Promise<JoinedGame> =>
  json(`/api/seeks/${encodeURIComponent(id)}/accept`, { method: 'POST' });

export const createChallenge = (body: CreateChallenge): Promise<CreatedChallenge> =>
  json('/api/challenges', withBody('POST', body));

export const listChallenges = (): Promise<ChallengeList> => json('/api/challenges');

const challenge = (id: string): string => `/api/challenges/${encodeURIComponent(id)}`;

export const acceptChallenge = (id: string): Promise<JoinedGame> =>
  json(`${challenge(id)}/accept`, { method: 'POST' });

/** Declines a challenge, or withdraws one of the visitor's own. */
export const endChallenge = (id: string): Promise<void> =>
  requestVoid(challenge(id), { method: 'DELETE' });
