// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { router } from '$lib/routing/router.svelte';
import { render, screen, useFrench, userEvent, waitFor } from '$lib/testing';
import QuickStart from './QuickStart.svelte';

beforeAll(useFrench);
afterEach(() => vi.unstubAllGlobals());

it('starts a game against the machine, and says why if it is refused', async () => {
  const user = userEvent.setup();
  const bodies: unknown[] = [];
  const responses = [
    Response.json({ error: { code: 'too-many-games', args: {}, message: '' } }, { status: 429 }),
    Response.json({ id: 'qUiCkStArT12', invitation: null }, { status: 201 }),
  ];
  vi.stubGlobal('scrollTo', () => {});
  vi.stubGlobal('fetch', (_path: string, init: RequestInit) => {
    bodies.push(JSON.parse(String(init.body)));
    return Promise.resolve(responses.shift() ?? Response.error());
  });
  render(QuickStart, { variant: 'chess' });
  const button = screen.getByRole('button', { name: 'Échecs contre la machine', hidden: true });
  await user.click(button);
  expect(await screen.findByRole('alert', { hidden: true })).toBeTruthy();
  await user.click(button);
  await waitFor(() => expect(router.path).toBe('/game/qUiCkStArT12'));
  expect(bodies).toHaveLength(2);
  expect(bodies[1]).toEqual(bodies[0]);
  expect(bodies[0]).toMatchObject({ variant: 'chess', opponent: { type: 'machine', level: 3 } });
});

it('links to the hall, and offers no game if none is given', () => {
  render(QuickStart, { variant: null });
  expect(screen.queryByRole('button', { hidden: true })).toBeNull();
  const link = screen.getByRole('link', { name: 'Trouver un adversaire', hidden: true });
  expect(link.getAttribute('href')).toBe('/hall');
});
