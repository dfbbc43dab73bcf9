// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { GameSummary } from '$lib/api';
import { render, screen, useFrench, userEvent, waitFor } from '$lib/testing';
import Games from './Games.svelte';

beforeAll(useFrench);
afterEach(() => vi.unstubAllGlobals());

const game = (id: string): GameSummary => ({
  id,
  variant: 'chess',
  players: {
    white: { type: 'person', name: 'Ada' },
    black: { type: 'person', name: 'Bela' },
  },
  you: 'white',
  status: { type: 'over', result: '1-0', reason: 'resignation' },
  turn: null,
  plies: 3,
  timeControl: { type: 'unlimited' },
  touchMove: false,
  deadline: null,
  createdAt: 0,
  updatedAt: 0,
});

it('a failure disappears when more games have been loaded', async () => {
  let isDown = false;
  vi.stubGlobal('fetch', (address: string) => {
    if (isDown) return Promise.resolve(new Response(null, { status: 500 }));
    const { searchParams } = new URL(address, 'http://house.test');
    const isFinished = searchParams.get('state') === 'finished';
    const id = searchParams.has('cursor') ? 'bbbbbbbbbbbb' : 'aaaaaaaaaaaa';
    const next = searchParams.has('cursor') ? null : 'b';
    const list = isFinished ? { games: [game(id)], next } : { games: [], next: null };
    return Promise.resolve(Response.json(list));
  });
  const user = userEvent.setup();
  render(Games);
  const more = await screen.findByRole('button', { name: 'En voir plus' });
  isDown = true;
  await user.click(more);
  await screen.findByRole('alert');
  isDown = false;
  await user.click(more);
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(document.querySelector('a[href$="bbbbbbbbbbbb"]')).not.toBeNull();
});
