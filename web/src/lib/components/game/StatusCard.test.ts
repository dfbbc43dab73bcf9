// @vitest-environment happy-dom
import { beforeAll, expect, it, vi } from 'vitest';
import { gameFixture, mirrorsForTests, rulesForTests } from '$lib/game/fixtures';
import { GameState } from '$lib/game/game-state.svelte';
import { render, screen, useFrench } from '$lib/testing';
import StatusCard from './StatusCard.svelte';

beforeAll(useFrench);

it('shows below the headline what the player must do after a touch, unless something is more urgent (C13)', async () => {
  const game = new GameState(gameFixture({ touchMove: true }), {
    rules: rulesForTests(),
    mirrors: mirrorsForTests(),
    now: () => 0,
    send: vi.fn(),
  });
  game.connection = 'open';
  const { rerender } = render(StatusCard, { game, now: () => 0, planDropped: false });
  const words = /il faut jouer la pièce en g1/;
  expect(screen.queryByText(words)).toBeNull();
  const obligation = { type: 'must-move', own: 'g1' } as const;
  game.event({ type: 'touched', color: 'white', square: 'g1', obligation }, 2, 0);
  expect(await screen.findByText(words)).toBeDefined();
  await rerender({ planDropped: true });
  expect(screen.queryByText(words)).toBeNull();
});
