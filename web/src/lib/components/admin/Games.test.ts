// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AdminAct } from '$lib/api';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench, userEvent, waitFor } from '$lib/testing';
import Games from './Games.svelte';

beforeAll(async () => {
  await useFrench();
  await i18n.need('admin');
});
afterEach(() => vi.unstubAllGlobals());

const [first, second] = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb'];

/** Returns the part of a game that the section reads. */
const game = (id: string) => ({
  id,
  variant: 'chess',
  players: { white: { type: 'person', name: id }, black: { type: 'open' } },
  status: { type: 'playing' },
});

/** Shows the section, with a server that knows every game and records the acts. */
async function open() {
  const acts: AdminAct[] = [];
  const server = vi.fn((path: string, init: RequestInit) => {
    if (path !== '/api/admin/acts') return Promise.resolve(Response.json(game(path.slice(-12))));
    acts.push(JSON.parse(String(init.body)) as AdminAct);
    return Promise.resolve(Response.json({ link: null, pupils: [] }));
  });
  vi.stubGlobal('fetch', server);
  render(Games, { role: 'administrator' });
  const user = userEvent.setup();
  const field = screen.getByRole('textbox');
  await user.type(field, first);
  await user.click(screen.getByRole('button', { name: 'Chercher' }));
  await screen.findByRole('link', { name: new RegExp(first) });
  return { acts, user, field, server };
}

describe('an act on a game', () => {
  it('applies to the game that is shown, whatever address the field contains', async () => {
    const { acts, user, field } = await open();
    await user.clear(field);
    await user.type(field, second);
    await user.click(screen.getByRole('button', { name: 'Retirer de la salle' }));
    await screen.findByRole('button', { name: 'Remettre dans la salle' });
    await user.click(screen.getByRole('button', { name: 'Nulle' }));
    await user.click(screen.getByRole('button', { name: 'Oui, c’est décidé' }));
    await waitFor(() => expect(acts).toHaveLength(2));
    await screen.findByRole('button', { name: 'Remettre dans la salle' });
    expect(acts).toEqual([
      { type: 'hide-game', game: first, hidden: true },
      { type: 'adjudicate', game: first, result: '1/2-1/2' },
    ]);
    expect(screen.getByRole('link', { name: new RegExp(first) })).toBeTruthy();
  });
});

it('a game that was already hidden can be shown again', async () => {
  const { acts, user, server } = await open();
  server.mockImplementationOnce(() =>
    Promise.resolve(
      Response.json({ error: { code: 'hidden-already', args: {} } }, { status: 409 }),
    ),
  );
  await user.click(screen.getByRole('button', { name: 'Retirer de la salle' }));
  await user.click(await screen.findByRole('button', { name: 'Remettre dans la salle' }));
  await waitFor(() => expect(acts).toEqual([{ type: 'hide-game', game: first, hidden: false }]));
});

it('the game looked up last is shown, in whatever order the responses arrive', async () => {
  const { user, field, server } = await open();
  let answer: (response: Response) => void = () => {};
  server.mockImplementationOnce(() => new Promise((resolve) => (answer = resolve)));
  await user.click(screen.getByRole('button', { name: 'Chercher' }));
  await user.clear(field);
  await user.type(field, `${second}{Enter}`);
  await screen.findByRole('link', { name: new RegExp(second) });
  answer(Response.json(game(first)));
  await vi.waitFor(() => expect(server).toHaveBeenCalledTimes(3));
  await new Promise((done) => setTimeout(done));
  expect(screen.queryByRole('link', { name: new RegExp(first) })).toBeNull();
});
