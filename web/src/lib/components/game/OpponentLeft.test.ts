// @vitest-environment happy-dom
import { beforeAll, expect, it, vi } from 'vitest';
import type { GameRoom } from '$lib/game/game-room.svelte';
import type { GameState } from '$lib/game/game-state.svelte';
import { render, screen, useFrench, userEvent } from '$lib/testing';
import OpponentLeft from './OpponentLeft.svelte';

beforeAll(useFrench);

function show(untilLeftMs: number | null) {
  const sendCommand = vi.fn();
  const game = { may: () => true, opponent: 'black', sendCommand } as unknown as GameState;
  const room = { black: false, untilLeftMs: () => untilLeftMs } as unknown as GameRoom;
  render(OpponentLeft, { game, room });
  return sendCommand;
}

it('says how soon a win can be claimed', () => {
  show(4_200);
  expect(screen.getByText(/L’adversaire n’est plus là.*dans 5 s/)).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

it('says why a win can be claimed, beside the button', async () => {
  const user = userEvent.setup();
  const sendCommand = show(0);
  expect(
    screen.getByText('L’adversaire n’est plus là ; vous pouvez réclamer le gain.'),
  ).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Réclamer le gain' }));
  await user.click(screen.getByRole('button', { name: 'Confirmer la réclamation' }));
  expect(sendCommand).toHaveBeenCalledExactlyOnceWith('claim-left');
});
