// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

/** The modules read the path once, so each test loads them again, in a house under `/echecs`. */
beforeEach(() => {
  document.documentElement.dataset['base'] = '/echecs';
  history.replaceState(null, '', '/echecs/en/rules/baroque?a=b');
  vi.resetModules();
});

afterEach(() => {
  delete document.documentElement.dataset['base'];
  history.replaceState(null, '', '/');
  vi.unstubAllGlobals();
});

it('is part of every address, and of no path within the house', async () => {
  const { withBase, withoutBase } = await import('./base-path');
  expect(withBase('/api/house')).toBe('/echecs/api/house');
  expect(withoutBase('/echecs/')).toBe('/');
  expect(withoutBase('/echecs/rules')).toBe('/rules');
  for (const outside of ['/', '/rules', '/echecs', '/echecs2/rules', '/club/echecs/'])
    expect(withoutBase(outside), outside).toBeNull();
});

it('precedes the language in the addresses of pages', async () => {
  const { parsePath, pathOf } = await import('./routes');
  const { addressLanguage } = await import('./address-language.svelte');
  const { absoluteUrl } = await import('./address');
  expect(pathOf('home')).toBe('/echecs/');
  addressLanguage.current = 'en';
  expect(pathOf('rules', { variant: 'chess' }, 'C1')).toBe('/echecs/en/rules/chess#C1');
  expect(parsePath('/echecs/en/rules/chess')).toEqual({ page: 'rules', variant: 'chess' });
  expect(parsePath('/echecs/hall')).toEqual({ page: 'hall' });
  for (const outside of ['/', '/hall', '/en/rules/chess', '/echecs2/hall'])
    expect(parsePath(outside), outside).toEqual({ page: 'not-found' });
  // Shared links name no language.
  expect(absoluteUrl(pathOf('game', { id: 'a' })).pathname).toBe('/echecs/game/a');
});

it('stays in the address bar when the language is removed', async () => {
  const { router } = await import('./router.svelte');
  const { addressLanguage } = await import('./address-language.svelte');
  expect(router.route).toEqual({ page: 'rules', variant: 'baroque' });
  expect(addressLanguage.current).toBe('en');
  router.dropLanguage();
  expect(location.pathname + location.search).toBe('/echecs/rules/baroque?a=b');
});

it('is part of the addresses of requests, downloads, images and sockets', async () => {
  const send = vi.fn<typeof fetch>(async () => new Response('{}'));
  vi.stubGlobal('fetch', send);
  const http = await import('../http');
  await http.readGame('a');
  await http.readPgn('a').catch(() => '');
  expect(send.mock.calls.map(([url]) => url)).toEqual([
    '/echecs/api/games/a',
    '/echecs/api/games/a/pgn',
  ]);
  for (const address of [
    http.pgnPath('a'),
    http.qrPath('t'),
    http.pgnOfManyPath({}),
    http.picturePath('chess', '8/8', false),
    http.animationPath('a', true),
    http.boardPath('a', true, 3),
  ])
    expect(address).toMatch(/^\/echecs\/(api|diagram)/);
  expect(new URL(http.socketUrl('a', 1)).pathname).toBe('/echecs/api/games/a/socket');
});

it('is not part of the path to which a sign-in through a provider returns', async () => {
  const { providerPath } = await import('../account/calls');
  expect(providerPath('openid', '/echecs/en/hall')).toBe('/echecs/openid/begin?to=%2Fen%2Fhall');
});

it('is not bypassed by a literal path in any component', () => {
  const sources = import.meta.glob<string>('../../**/*.svelte', {
    query: '?raw',
    import: 'default',
    eager: true,
  });
  expect(Object.keys(sources).length).toBeGreaterThan(50);
  for (const [name, source] of Object.entries(sources))
    expect(source, name).not.toMatch(/\s(href|src|action)=["'{`]+\//);
});

it('keeps the stored data of several houses on one host separate', async () => {
  const { readStored, writeStored } = await import('../storage');
  writeStored('look', 'dark');
  expect(localStorage.getItem('adoube/echecs.look')).toBe('dark');
  localStorage.setItem('adoube.look', 'light');
  expect(readStored('look')).toBe('dark');
  localStorage.clear();
});
