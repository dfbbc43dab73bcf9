// @vitest-environment happy-dom
import { beforeAll, expect, it, vi } from 'vitest';
import { chessStart, rulesForTests } from '$lib/game/fixtures';
import { GameRecord } from '$lib/game/record';
import { render, screen, useFrench, userEvent, within } from '$lib/testing';
import GameSteps from './GameSteps.svelte';
import MoveList from './MoveList.svelte';

beforeAll(useFrench);

function show(turns: readonly string[], ply: number, fen = chessStart) {
  const record = GameRecord.replay(rulesForTests(), 'chess', fen, turns);
  const goTo = vi.fn<(ply: number) => void>();
  const game = { variant: 'chess' as const, record, ply, isLive: ply === turns.length, goTo };
  render(MoveList, { game });
  return { game, goTo };
}

it('lists the turns with their numbers and marks the current one', () => {
  show(['e2e4', 'e7e5', 'g1f3'], 3);
  const rows = screen.getAllByRole('listitem');
  expect(rows.map((row) => row.textContent?.replaceAll(/\s+/g, ' ').trim())).toEqual([
    '1 e4 e5',
    '2 Cf3',
  ]);
  const current = screen.getByRole('button', { current: 'step' });
  expect(current.textContent).toBe('Cf3');
});

it.each([
  { side: 'White', fen: chessStart },
  { side: 'Black', fen: chessStart.replace(' w ', ' b ') },
])('says that no turn has been played, with $side to move', ({ fen }) => {
  show([], 0, fen);
  expect(screen.getByRole('listitem').textContent).toMatch(/Aucun coup/);
});

it('goes to a turn when it is clicked', async () => {
  const user = userEvent.setup();
  const { goTo } = show(['e2e4', 'e7e5', 'g1f3'], 3);
  await user.click(screen.getByRole('button', { name: 'e5' }));
  expect(goTo.mock.calls.flat()).toEqual([2]);
});

it('steps through the game, flips the board and leaves zen mode with the buttons', async () => {
  const user = userEvent.setup();
  const { game, goTo } = show(['e2e4', 'e7e5', 'g1f3'], 3);
  const [onflip, onzen] = [vi.fn(), vi.fn()];
  render(GameSteps, { game, onflip, onzen, isZen: true });
  for (const button of within(screen.getByRole('group')).getAllByRole('button'))
    await user.click(button);
  expect(goTo.mock.calls.flat()).toEqual([0, 2, 4, 3]);
  expect(onflip).toHaveBeenCalledOnce();
  expect(onzen).toHaveBeenCalledOnce();
  expect(screen.getByRole('button', { name: 'Tout afficher' })).toBeDefined();
});

it('returns to the current position from an earlier turn', async () => {
  const user = userEvent.setup();
  const { goTo } = show(['e2e4', 'e7e5'], 1);
  await user.click(screen.getByRole('button', { name: 'Revenir à la partie' }));
  expect(goTo.mock.calls).toEqual([[2]]);
});
