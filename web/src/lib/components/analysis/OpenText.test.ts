// @vitest-environment happy-dom
import { beforeAll, expect, it, vi } from 'vitest';
import type { PgnView } from '$lib/analysis-types';
import type { Records } from '$lib/analysis/module';
import { chessStart, rulesForTests } from '$lib/game/fixtures';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench, userEvent } from '$lib/testing';
import OpenText from './OpenText.svelte';

beforeAll(async () => {
  await useFrench();
  await i18n.need('analysis');
});

const game = {
  game: { tags: [], main: { nodes: [] } },
  problem: null,
  warnings: [],
  moreWarnings: 0,
} as unknown as PgnView;

/** Opens the panel. Every PGN that it reads contains `games`. */
async function open(games: readonly PgnView[] = []) {
  const records = { readPgn: () => ({ games, total: games.length }) } as unknown as Records;
  const [onfen, ongame, onread] = [vi.fn(), vi.fn(), vi.fn()];
  const rules = rulesForTests();
  const props = { rules, records, variant: 'chess' as const, onfen, ongame, onread };
  const { component } = render(OpenText, props);
  await component.show();
  return { user: userEvent.setup(), onfen, ongame, onread };
}

async function read(user: ReturnType<typeof userEvent.setup>, text: string) {
  await user.click(screen.getByLabelText('Collez une FEN ou un PGN'));
  await user.paste(text);
  await user.click(screen.getByRole('button', { name: 'Lire' }));
}

const panel = () => document.querySelector('details');

it('opens with its text field focused', async () => {
  await open();
  expect(panel()?.open).toBe(true);
  expect(document.activeElement).toBe(screen.getByLabelText('Collez une FEN ou un PGN'));
});

it('clears the file field, so that the same file can be chosen again', async () => {
  const { user, onfen } = await open();
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  if (!input) throw new Error('no file field');
  await user.upload(input, new File([chessStart], 'start.txt'));
  await vi.waitFor(() => expect(onfen).toHaveBeenCalledOnce());
  expect(input.value).toBe('');
});

it('closes once a FEN has been read', async () => {
  const { user, onfen, onread } = await open();
  await read(user, chessStart);
  expect(onfen).toHaveBeenCalledExactlyOnceWith(chessStart);
  expect(onread).toHaveBeenCalledOnce();
  expect(panel()?.open).toBe(false);
});

it('closes once the only game has been read', async () => {
  const { user, ongame, onread } = await open([game]);
  await read(user, '1. e4 *');
  expect(ongame).toHaveBeenCalledOnce();
  expect(onread).toHaveBeenCalledOnce();
  expect(panel()?.open).toBe(false);
});

it('stays open while there is an error to read or a game to choose', async () => {
  const { user, ongame, onread } = await open([game, game]);
  await read(user, '8/8/8/8/8/8/8/7K w - - 0 1');
  expect(screen.getByText(/Les Noirs n’ont pas de roi/)).toBeTruthy();
  await user.clear(screen.getByLabelText('Collez une FEN ou un PGN'));
  await read(user, '1. e4 * 1. d4 *');
  expect(ongame).toHaveBeenCalledOnce();
  expect(screen.getByRole('combobox')).toBeTruthy();
  expect(onread).not.toHaveBeenCalled();
  expect(panel()?.open).toBe(true);
});
