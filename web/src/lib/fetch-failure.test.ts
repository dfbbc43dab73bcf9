import { afterEach, expect, it, vi } from 'vitest';
import { fetchFailure } from './fetch-failure';
import { loadOnce } from './wasm-module';

afterEach(() => vi.unstubAllGlobals());

/** Stubs `fetch`: each request gets a response with this status, or fails if the status is null. */
function stubResponses(status: number | null): () => [string, RequestInit][] {
  const requests: [string, RequestInit][] = [];
  vi.stubGlobal('fetch', (address: string, init: RequestInit) => {
    requests.push([address, init]);
    return status === null
      ? Promise.reject(new TypeError('Failed to fetch'))
      : Promise.resolve(new Response(null, { status }));
  });
  return () => requests;
}

it.each([
  [404, 'page-outdated'],
  [200, 'network'],
  [503, 'network'],
  [null, 'network'],
])("status %s for one of the page's scripts is reported as %s", async (status, code) => {
  const requests = stubResponses(status);
  expect(await fetchFailure()).toEqual({ code, args: {} });
  // A cached response says nothing about the server.
  expect(requests()).toEqual([
    [expect.stringContaining('fetch-failure'), expect.objectContaining({ cache: 'no-store' })],
  ]);
});

it('reports a missing module as an outdated page, and fetches it again next time', async () => {
  stubResponses(404);
  const start = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
  const load = loadOnce(start);
  await expect(load()).rejects.toMatchObject({ refusal: { code: 'page-outdated' } });
  await expect(load()).rejects.toMatchObject({ refusal: { code: 'page-outdated' } });
  expect(start).toHaveBeenCalledTimes(2);
});
