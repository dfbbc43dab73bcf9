// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { render, screen, useFrench } from '$lib/testing';
import type { GameSummary } from '$lib/api';
import WatchBoards from './WatchBoards.svelte';

beforeAll(useFrench);
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const game = (plies: number): GameSummary => ({
  id: 'abcdefghijkl',
  variant: 'baroque',
  players: {
    white: { type: 'person', name: 'Anna' },
    black: { type: 'person', name: 'Bela' },
  },
  you: null,
  status: { type: 'playing' },
  turn: 'white',
  plies,
  timeControl: { type: 'fischer', initialMs: 300_000, incrementMs: 3_000 },
  touchMove: false,
  deadline: null,
  createdAt: 0,
  updatedAt: 0,
});

const picture = (): string => document.querySelector('img')?.getAttribute('src') ?? '';

it('links to the game and names both players', () => {
  render(WatchBoards, { games: [game(3)] });
  const link = screen.getByRole('link');
  expect(link.getAttribute('href')).toBe('/game/abcdefghijkl');
  expect(link.textContent).toMatch(/Bela.*Anna.*Baroque.*2 coups/s);
});

it('updates a board at most once per interval, however fast the game is', async () => {
  const { rerender } = render(WatchBoards, { games: [game(3)] });
  expect(picture()).toBe('/api/games/abcdefghijkl/board.svg?plies=3');
  await rerender({ games: [game(4)] });
  await rerender({ games: [game(5)] });
  expect(picture()).toBe('/api/games/abcdefghijkl/board.svg?plies=3');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(picture()).toBe('/api/games/abcdefghijkl/board.svg?plies=5');
});
