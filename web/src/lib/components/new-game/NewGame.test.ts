// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { tick } from 'svelte';
import { visitor } from '$lib/account/me.svelte';
import type { Account } from '$lib/api';
import { rulesForTests } from '$lib/game/fixtures';
import { emptyHall } from '$lib/hall/apply';
import { hallState } from '$lib/hall/hall.svelte';
import { challengedName, hasPlayed, lastChoices } from '$lib/last-choices.svelte';
import { router } from '$lib/routing/router.svelte';
import { render, screen, useFrench, userEvent, waitFor } from '$lib/testing';
import NewGame from './NewGame.svelte';

beforeAll(useFrench);
afterEach(() => {
  visitor.setAccount(null);
  hallState.hall = emptyHall;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Serves these responses; returns a list to which the page's requests are added. */
function serve(...responses: readonly { status: number; body: unknown }[]) {
  const sentRequests: { path: string; body: Record<string, unknown> }[] = [];
  const remaining = [...responses];
  vi.stubGlobal('scrollTo', () => {});
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => {
    sentRequests.push({ path, body: JSON.parse(String(init.body)) as Record<string, unknown> });
    const response = remaining.shift() ?? { status: 500, body: {} };
    return Promise.resolve(Response.json(response.body, { status: response.status }));
  });
  return sentRequests;
}

it('creates the chosen game and opens it', async () => {
  const user = userEvent.setup();
  const sentRequests = serve({ status: 201, body: { id: 'aB3dE5gH7jK9', invitation: null } });
  render(NewGame, { rules: rulesForTests() });
  await user.click(screen.getByRole('radio', { name: /Baroque/ }));
  await user.click(screen.getByRole('radio', { name: 'Noirs' }));
  await user.click(screen.getByRole('button', { name: 'Jouer' }));
  await waitFor(() => expect(router.path).toBe('/game/aB3dE5gH7jK9'));
  expect(sentRequests).toHaveLength(1);
  expect(sentRequests[0]).toMatchObject({
    path: '/api/games',
    body: { variant: 'baroque', color: 'black', opponent: { type: 'machine', level: 3 } },
  });
});

it("asks for the opponent's name, and labels the button accordingly", async () => {
  const user = userEvent.setup();
  // The lists are set below, without a socket.
  vi.spyOn(hallState, 'showLists').mockReturnValue(() => {});
  render(NewGame, { rules: null });
  expect(screen.queryByLabelText('Nom de l’adversaire')).toBeNull();
  await user.click(screen.getByRole('radio', { name: /membre/ }));
  const field = screen.getByLabelText<HTMLInputElement>('Nom de l’adversaire');
  expect(field.required).toBe(true);
  expect(screen.getByRole('button', { name: 'Lancer le défi' })).toBeTruthy();

  // The members in the hall, other than the visitor, are suggested.
  visitor.setAccount({ name: 'Bela' } as Account);
  hallState.hall = { ...emptyHall, people: { count: 3, names: ['bela', 'Jean-Loup', 'Élodie'] } };
  await tick();
  const names = document.getElementById(field.getAttribute('list') ?? '')?.children ?? [];
  expect([...names].map((each) => each.getAttribute('value'))).toEqual(['Élodie', 'Jean-Loup']);
});

it('offers to challenge the chosen member, but does not remember that as a choice', () => {
  localStorage.clear();
  vi.spyOn(hallState, 'showLists').mockReturnValue(() => {});
  challengedName.current = 'Bela';
  const { unmount } = render(NewGame, { rules: null });
  const name = (): string | undefined =>
    screen.queryByLabelText<HTMLInputElement>('Nom de l’adversaire')?.value;
  expect(name()).toBe('Bela');
  expect(screen.getByRole('button', { name: 'Lancer le défi' })).toBeTruthy();
  expect(hasPlayed()).toBe(false);
  unmount();
  render(NewGame, { rules: null });
  expect(name()).toBeUndefined();
});

it('names the remembered settings beside the button, except any that do not apply', async () => {
  const user = userEvent.setup();
  const before = lastChoices.current;
  lastChoices.current = { ...before, touchMove: true, drawRules: 'fide', casual: false };
  render(NewGame, { rules: null });
  lastChoices.current = before;
  const description = (): string => document.querySelector('.bar p')?.textContent ?? '';
  expect(screen.getByRole('button', { name: 'Jouer', description: /pièce touchée/ })).toBeTruthy();
  expect(description()).toMatch(/pièce touchée\s+nulles FIDE\s*$/);
  expect(description()).not.toContain('sérieuse');
  await user.click(screen.getByRole('radio', { name: /par un lien/ }));
  expect(description()).toContain('sérieuse');
  await user.click(screen.getByRole('checkbox', { name: /Pièce touchée/, hidden: true }));
  expect(description()).not.toContain('pièce touchée');
});

it('explains why a game could not be created, and retries the same request', async () => {
  const user = userEvent.setup();
  const refused = { error: { code: 'too-many-games', args: {}, message: '' } };
  const sentRequests = serve(
    { status: 429, body: refused },
    { status: 201, body: { id: 'bbbbbbbbbbbb', invitation: null } },
  );
  render(NewGame, { rules: null });
  await user.click(screen.getByRole('button', { name: 'Jouer' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Jouer' }));
  await waitFor(() => expect(router.path).toBe('/game/bbbbbbbbbbbb'));
  expect(sentRequests[1]?.body['command']).toBe(sentRequests[0]?.body['command']);
});
