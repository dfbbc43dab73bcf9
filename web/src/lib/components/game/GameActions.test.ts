// @vitest-environment happy-dom
import { beforeAll, expect, it, vi } from 'vitest';
import type { ClockState, TimeControl } from '$lib/api';
import { gameFixture, mirrorsForTests, rulesForTests } from '$lib/game/fixtures';
import { GameState } from '$lib/game/game-state.svelte';
import { render, screen, useFrench } from '$lib/testing';
import GameActions from './GameActions.svelte';

beforeAll(useFrench);

const dayMs = 86_400_000;

function show(timeControl: TimeControl, leftMs: number | null) {
  const clock: ClockState | null =
    leftMs === null
      ? null
      : {
          left: { white: leftMs, black: leftMs },
          running: null,
          delayLeftMs: 0,
          firstTurnUntil: null,
        };
  const game = new GameState(gameFixture({ timeControl, clock }), {
    rules: rulesForTests(),
    mirrors: mirrorsForTests(),
    now: () => 0,
    send: vi.fn(),
  });
  render(GameActions, { game, startFen: null });
}

const gift = () => screen.queryByRole('button', { name: /^Donner 15/ });

it('seconds can be given in a game played in one sitting', () => {
  show({ type: 'fischer', initialMs: 300_000, incrementMs: 3000 }, 300_000);
  expect(gift()).not.toBeNull();
});

it('in correspondence games and games without clocks, there is no button to give seconds', () => {
  show({ type: 'correspondence', daysPerTurn: 3 }, 3 * dayMs);
  show({ type: 'unlimited' }, null);
  expect(screen.getAllByRole('button', { name: /nulle/ })).toHaveLength(2);
  expect(gift()).toBeNull();
});
