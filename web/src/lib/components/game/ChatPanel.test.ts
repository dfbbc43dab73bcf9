// @vitest-environment happy-dom
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { visitor } from '$lib/account/me.svelte';
import type { Account, ChatLine } from '$lib/api';
import { GameRoom } from '$lib/game/game-room.svelte';
import { house } from '$lib/house.svelte';
import { render, screen, useFrench, userEvent, within } from '$lib/testing';
import ChatPanel from './ChatPanel.svelte';

beforeAll(useFrench);

const line = (id: number, text: string, changes: Partial<ChatLine> = {}): ChatLine => ({
  id,
  room: 'players',
  author: `author-${id}`,
  name: null,
  color: 'white',
  text,
  at: 0,
  ...changes,
});

function show(lines: readonly ChatLine[]) {
  const room = new GameRoom();
  room.addLines(lines, true);
  const [onsay, onreport] = [vi.fn<(text: string) => void>(), vi.fn()];
  render(ChatPanel, { room, isPlayer: true, onsay, onreport });
  return { room, onsay, onreport, log: screen.getByRole('log') };
}

it('shows the author of each line, by name or side', () => {
  const { log } = show([line(1, 'Bonjour', { name: 'Ada' }), line(2, 'Salut', { color: 'black' })]);
  expect(within(log).getByRole('button', { name: 'Ada' })).toBeTruthy();
  expect(within(log).getByRole('button', { name: 'Les Noirs' })).toBeTruthy();
  expect(log.textContent).toMatch(/Bonjour.*Salut/s);
});

it('sends the text on Enter and clears the field', async () => {
  const user = userEvent.setup();
  const { onsay } = show([]);
  const field = screen.getByRole<HTMLInputElement>('textbox');
  await user.type(field, '  Bonne partie {Enter}');
  expect(onsay.mock.calls).toEqual([['Bonne partie']]);
  expect(field.value).toBe('');
  // Blank messages are not sent.
  await user.type(field, '   {Enter}');
  expect(onsay).toHaveBeenCalledOnce();
});

it('mutes an author, and unmutes everyone', async () => {
  const user = userEvent.setup();
  const { log } = show([line(1, 'Idiot', { name: 'Eve' }), line(2, 'Du calme', { name: 'Ada' })]);
  await user.click(screen.getByRole('button', { name: 'Eve' }));
  await user.click(screen.getByRole('button', { name: 'Masquer' }));
  expect(log.textContent).not.toMatch(/Idiot/);
  expect(log.textContent).toMatch(/Du calme/);
  await user.click(screen.getByRole('button', { name: 'Afficher de nouveau l’auteur masqué' }));
  expect(log.textContent).toMatch(/Idiot/);
});

it('reports a line with a reason', async () => {
  const user = userEvent.setup();
  const { onreport, log } = show([line(7, 'Achetez', { name: 'Eve' })]);
  const authorButton = screen.getByRole('button', { name: 'Eve' });
  await user.click(authorButton);
  expect(authorButton.getAttribute('aria-expanded')).toBe('true');
  await user.click(screen.getByRole('button', { name: 'Signaler un message indésirable' }));
  expect(onreport.mock.calls).toEqual([[7, 'spam']]);
  expect(authorButton.getAttribute('aria-expanded')).toBe('false');
  expect(log.textContent).toMatch(/\(signalé\)/);
});

it.each([
  ['everybody', 'CM2', 1],
  ['no-pupils', null, 1],
  ['no-pupils', 'CM2', 0],
  ['nobody', null, 0],
] as const)(
  'if the chat setting is %s, a member of class %s has %i text fields',
  (chat, group, fields) => {
    const { settings } = house;
    onTestFinished(() => {
      house.settings = settings;
      visitor.setAccount(null);
    });
    house.settings = { ...settings, chat };
    visitor.setAccount({ name: 'Zoé', class: group } as Account);
    show([line(1, 'Bonjour')]);
    expect(screen.queryAllByRole('textbox')).toHaveLength(fields);
  },
);
