// @vitest-environment happy-dom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { boardPath, json, listGames, readPgn, requestVoid, socketUrl, withBody } from './http';
import { refusalOf, type Refusal } from './refusal';

afterEach(() => vi.unstubAllGlobals());

/** Answers every request like this. Returns the requests. */
function stubServer(respond: () => Promise<Response>): Parameters<typeof fetch>[] {
  const requests: Parameters<typeof fetch>[] = [];
  vi.stubGlobal('fetch', (...request: Parameters<typeof fetch>) => {
    requests.push(request);
    return respond();
  });
  return requests;
}

/** Returns the refusal of a request that fails. */
const failureOf = (request: Promise<unknown>): Promise<Refusal> =>
  request.then(() => expect.unreachable('the request succeeded'), refusalOf);

/** A response whose connection is lost after its first bytes. */
const cutResponse = (): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"games":'));
      },
      pull: (controller) => controller.error(new TypeError('network error')),
    }),
  );

describe('a failed request', () => {
  const lost: Refusal = { code: 'network', args: {} };

  it('is a network failure if the server cannot be reached', async () => {
    stubServer(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(await failureOf(json('/api/house'))).toEqual(lost);
    expect(await failureOf(requestVoid('/api/session', { method: 'DELETE' }))).toEqual(lost);
  });

  it('is a network failure, too, if the connection is lost while the response arrives', async () => {
    stubServer(() => Promise.resolve(cutResponse()));
    expect(await failureOf(listGames())).toEqual(lost);
    expect(await failureOf(readPgn('aB3dE5gH7jK9'))).toEqual(lost);
  });

  it("has the server's reason", async () => {
    const error = { code: 'too-many', args: { seconds: '30' } };
    stubServer(() => Promise.resolve(Response.json({ error }, { status: 429 })));
    expect(await failureOf(json('/api/house'))).toEqual(error);
    stubServer(() => Promise.resolve(Response.json({ error: { code: 'busy' } }, { status: 503 })));
    expect(await failureOf(json('/api/house'))).toEqual({ code: 'busy', args: {} });
  });

  it('has its status if a proxy has answered instead of the server', async () => {
    const page = '<h1>Bad Gateway</h1>';
    stubServer(() => Promise.resolve(new Response(page, { status: 502 })));
    expect(await failureOf(json('/api/house'))).toEqual({
      code: 'server',
      args: { status: '502' },
    });
    stubServer(() => Promise.resolve(new Response(page, { status: 404 })));
    expect(await failureOf(json('/api/house'))).toEqual({ code: 'not-found', args: {} });
    stubServer(() => Promise.resolve(new Response('null', { status: 500 })));
    expect(await failureOf(json('/api/house'))).toEqual({
      code: 'server',
      args: { status: '500' },
    });
    stubServer(() => Promise.resolve(cutResponse()));
    expect(await failureOf(json('/api/house'))).toEqual(lost);
  });
});

it('sends the body as JSON, and gives up if no response arrives', async () => {
  const requests = stubServer(() => Promise.resolve(Response.json({ id: 'x' })));
  expect(await json('/api/games', withBody('POST', { variant: 'chess' }))).toEqual({ id: 'x' });
  const [path, init] = requests[0] ?? [];
  expect(path).toBe('/api/games');
  expect(init).toMatchObject({ method: 'POST', body: '{"variant":"chess"}' });
  expect(init?.headers).toEqual({ 'content-type': 'application/json' });
  expect(init?.signal).toBeInstanceOf(AbortSignal);
});

it('sends only the parts of a query that are given', async () => {
  const requests = stubServer(() => Promise.resolve(Response.json({ games: [] })));
  await listGames();
  await listGames({ state: 'playing', variant: '', cursor: 'a&b' });
  expect(requests.map(([path]) => path)).toEqual([
    '/api/games',
    '/api/games?state=playing&cursor=a%26b',
  ]);
});

it('builds addresses from ids that need escaping', () => {
  expect(boardPath('a/b', false)).toBe('/api/games/a%2Fb/board.svg');
  expect(boardPath('a', true, 0)).toBe('/api/games/a/board.svg?flip=true&plies=0');
  expect(new URL(socketUrl('a', null)).search).toBe('');
  expect(new URL(socketUrl('a', 0)).search).toBe('?version=0');
  expect(new URL(socketUrl('a', 3)).protocol).toMatch(/^wss?:$/);
});
