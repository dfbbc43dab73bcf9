import { RefusalError } from './refusal';
import { absoluteUrl } from './routing/address';
import { withBase } from './routing/base-path';
import type {
  CreateGame,
  CreatedGame,
  ErrorBody,
  Game,
  GameList,
  Invitation,
  JoinedGame,
  ListState,
  RulePage,
} from './api';

/**
 * HTTP requests for games and rules; other modules send their requests with `json` and
 * `requestVoid`. Paths are within the house, such as `/api/house`; functions named `…Path` return
 * addresses for links and images, which include the path of the house itself. This module builds
 * the URL of a game's socket, but does not open the socket.
 */

/** The type of `fetch` and of functions that replace it. */
type Fetch = typeof fetch;

const timeoutMs = 15_000;

function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false;
  const { error } = body;
  return typeof error === 'object' && error !== null && 'code' in error;
}

async function refusalFrom(response: Response): Promise<RefusalError> {
  const body: unknown = await response.json().catch(() => null);
  if (isErrorBody(body))
    return new RefusalError({ code: body.error.code, args: body.error.args ?? {} });
  if (response.status === 404) return new RefusalError({ code: 'not-found', args: {} });
  return new RefusalError({ code: 'server', args: { status: String(response.status) } });
}

async function send(path: string, init: RequestInit, fetcher: Fetch): Promise<Response> {
  let response: Response;
  try {
    response = await fetcher(withBase(path), { signal: AbortSignal.timeout(timeoutMs), ...init });
  } catch {
    throw new RefusalError({ code: 'network', args: {} });
  }
  if (!response.ok) throw await refusalFrom(response);
  return response;
}

/** Returns the body as text. The connection may be lost while it arrives. */
async function textOf(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch {
    throw new RefusalError({ code: 'network', args: {} });
  }
}

export async function json<T>(
  path: string,
  init: RequestInit = {},
  fetcher: Fetch = fetch,
): Promise<T> {
  const response = await send(path, init, fetcher);
  return JSON.parse(await textOf(response)) as T;
}

/** Sends a request whose response has no body. */
export async function requestVoid(path: string, init: RequestInit): Promise<void> {
  await send(path, init, fetch);
}

export function withBody(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', body?: unknown): RequestInit {
  if (body === undefined) return { method };
  const headers = { 'content-type': 'application/json' };
  return { method, headers, body: JSON.stringify(body) };
}

const post = (body?: unknown): RequestInit => withBody('POST', body);

const game = (id: string): string => `/api/games/${encodeURIComponent(id)}`;

export const createGame = (body: CreateGame): Promise<CreatedGame> =>
  json('/api/games', post(body));

/** Filter and cursor for a list of games. */
export interface GamesQuery {
  state?: ListState;
  variant?: string;
  cursor?: string;
}

function queryOf(filter: GamesQuery): string {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  return query.size === 0 ? '' : `?${query}`;
}

export const listGames = (filter: GamesQuery = {}): Promise<GameList> =>
  json(`/api/games${queryOf(filter)}`);

/** Returns the URL of a single PGN file with all games in a list. */
export const pgnOfManyPath = (filter: GamesQuery): string =>
  withBase(`/api/games/pgn${queryOf(filter)}`);

export const readGame = (id: string): Promise<Game> => json(game(id));

const invitation = (token: string): string => `/api/invitations/${encodeURIComponent(token)}`;

/** Fetches the terms of an invitation, without taking the seat. */
export const readInvitation = (token: string): Promise<Invitation> => json(invitation(token));

/** Returns the URL of a QR code for an invitation's link. */
export const qrPath = (token: string): string => withBase(`${invitation(token)}/qr.svg`);

export const joinGame = (token: string): Promise<JoinedGame> => json(invitation(token), post());

/** Fetches the rules of a game in a language. */
export const readRules = (variant: string, language: string): Promise<RulePage> =>
  json(`/api/rules/${encodeURIComponent(variant)}?language=${encodeURIComponent(language)}`);

export const pgnPath = (id: string): string => withBase(`${game(id)}/pgn`);

/** Returns the URL of a picture of a position. */
export const picturePath = (variant: string, fen: string, flip: boolean): string =>
  withBase(`/diagram.svg?${new URLSearchParams({ variant, fen, flip: String(flip) })}`);

/** Returns the URL of an animated picture of a game. */
export const animationPath = (id: string, flip: boolean): string =>
  withBase(`${game(id)}/animation.gif${flip ? '?flip=true' : ''}`);

/**
 * Returns the URL of a picture of a game's current position. The server ignores `plies`, which only
 * makes the URL different for each position, so that the browser loads the picture again.
 */
export function boardPath(id: string, flip: boolean, plies?: number): string {
  const query = new URLSearchParams({
    ...(flip && { flip: 'true' }),
    ...(plies !== undefined && { plies: String(plies) }),
  });
  return withBase(`${game(id)}/board.svg${query.size > 0 ? `?${query}` : ''}`);
}

export async function readPgn(id: string): Promise<string> {
  return textOf(await send(`${game(id)}/pgn`, {}, fetch));
}

export function webSocketUrl(path: string): URL {
  const url = absoluteUrl(withBase(path));
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}

/**
 * Returns the URL of a game's socket. `version` is the version of the game that the client has;
 * null if it has none.
 */
export function socketUrl(id: string, version: number | null): string {
  const url = webSocketUrl(`${game(id)}/socket`);
  if (version !== null) url.searchParams.set('version', String(version));
  return url.href;
}
