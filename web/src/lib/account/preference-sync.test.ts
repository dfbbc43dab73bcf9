// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { menOf, preferences } from '../preferences.svelte';
import { accountSync } from './preference-sync';

/** The account's preferences on the server. */
let stored: { version: number; values: Record<string, string> };
let isOnline: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  stored = { version: 0, values: {} };
  isOnline = true;
  vi.stubGlobal('fetch', (_: string, init: RequestInit) => {
    if (!isOnline) return Promise.reject(new TypeError('no network'));
    if (init.method === 'PATCH') {
      const { values } = JSON.parse(String(init.body)) as { values: Record<string, string> };
      stored = { version: stored.version + 1, values: { ...stored.values, ...values } };
    }
    return Promise.resolve(Response.json(stored));
  });
});

afterEach(() => {
  accountSync.follow(null);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const settled = () => vi.advanceTimersByTimeAsync(1_000);

it('sends nothing for a guest; a new account adopts the choices made as a guest', async () => {
  preferences.board.current = 'green';
  await settled();
  expect(stored.values).toEqual({});
  accountSync.follow('Anna');
  await settled();
  expect(stored.values).toEqual({ board: 'green' });
});

it("replaces the browser's choices with the account's", async () => {
  stored = { version: 3, values: { board: 'walnut', 'men.chess': 'silhouette', volume: '20' } };
  preferences.board.current = 'blue';
  accountSync.follow('Anna');
  await settled();
  expect(preferences.board.current).toBe('walnut');
  expect(menOf('chess').current).toBe('silhouette');
  expect(preferences.volume.current).toBe(20);
  expect(stored.version).toBe(3);
});

it('sends changes together, and those made offline on the next visit', async () => {
  stored = { version: 1, values: { board: 'walnut' } };
  accountSync.follow('Anna');
  await settled();
  preferences.volume.current = 40;
  preferences.volume.current = 45;
  preferences.board.current = 'grey';
  await settled();
  expect(stored).toEqual({ version: 2, values: { board: 'grey', volume: '45' } });
  isOnline = false;
  preferences.board.current = 'maple';
  await settled();
  accountSync.follow(null);
  isOnline = true;
  accountSync.follow('Anna');
  await settled();
  expect(stored.values['board']).toBe('maple');
  expect(preferences.board.current).toBe('maple');
});

it('keeps a change that the server temporarily could not save', async () => {
  stored = { version: 1, values: { board: 'walnut' } };
  accountSync.follow('Anna');
  await settled();
  const answer = fetch;
  vi.stubGlobal('fetch', () =>
    Promise.resolve(Response.json({ error: { code: 'not-saved' } }, { status: 503 })),
  );
  preferences.board.current = 'grey';
  await settled();
  expect(stored.values['board']).toBe('walnut');
  // On the next visit, the change is sent instead of being overwritten.
  accountSync.follow(null);
  vi.stubGlobal('fetch', answer);
  accountSync.follow('Anna');
  await settled();
  expect(stored.values['board']).toBe('grey');
  expect(preferences.board.current).toBe('grey');
});
