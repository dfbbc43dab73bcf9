// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Game, Invitation, Seat } from '$lib/api';
import { chessStart, gameFixture } from '$lib/game/fixtures';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench, waitFor } from '$lib/testing';
import Invite from './Invite.svelte';

vi.mock('$lib/rules-wasm', () => ({
  loadRules: () =>
    Promise.resolve({
      initial: () => ({
        view: {
          fen: chessStart,
          pieces: [{ square: 'a1', color: 'white', role: 'rook' }],
        },
      }),
    }),
}));

beforeAll(async () => {
  await useFrench();
  await i18n.need('hall');
});
afterEach(() => vi.unstubAllGlobals());

/** Renders the invitation page for a visitor who is not one of the game's players. */
function show(changes: Partial<Game>): void {
  const invitation: Invitation = {
    game: gameFixture({ you: null, ...changes }),
    hostIsHere: true,
  };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(invitation)));
  render(Invite, { token: 't_o-ken' });
}

const open: Seat = { type: 'open' };
const unnamed: Seat = { type: 'person' };

it.each([
  ['white', '0%', '87.5%'],
  ['black', '87.5%', '0%'],
] as const)('the board is seen from the side of a guest who plays %s', async (side, left, top) => {
  const players =
    side === 'white' ? { white: open, black: unnamed } : { white: unnamed, black: open };
  show({ status: { type: 'waiting' }, players });
  const board = await screen.findByRole('img');
  await waitFor(() => expect(board.querySelector('img')).not.toBeNull());
  const rook = board.querySelector('img');
  expect([rook?.style.left, rook?.style.top]).toEqual([left, top]);
});

it('a third person is told that the seat is taken, and who the players are if they have names', async () => {
  show({});
  expect(await screen.findByText('Quelqu’un d’autre a déjà pris cette place.')).toBeTruthy();
  show({ players: { white: unnamed, black: { type: 'person', name: 'Ada' } } });
  expect(await screen.findByText(/déjà pris cette place\s:\squelqu’un – Ada\.$/)).toBeTruthy();
});

it('a finished game is described without invented names', async () => {
  show({ status: { type: 'over', result: '1-0', reason: 'checkmate' } });
  expect(await screen.findByText('Cette partie est finie. Les Blancs gagnent.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Voir la partie' })).toBeTruthy();
});
