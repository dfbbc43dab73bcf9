// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench } from '$lib/testing';
import Recovery from './Recovery.svelte';

beforeAll(async () => {
  await useFrench();
  await i18n.need('account');
});
afterEach(() => vi.unstubAllGlobals());

it('says at once that a link has already been used, and shows no form', async () => {
  const error = { code: 'recovery-not-found', args: {}, message: '' };
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ error }, { status: 404 })));
  render(Recovery, { token: 'used' });
  await screen.findByText(/Ce lien a déjà servi/);
  expect(screen.queryByLabelText('Nouveau mot de passe')).toBeNull();
});

it('asks for a password if the link is valid', async () => {
  const server = vi.fn((_path: string) => Promise.resolve(new Response(null, { status: 204 })));
  vi.stubGlobal('fetch', server);
  render(Recovery, { token: 'valid' });
  await screen.findByLabelText('Nouveau mot de passe');
  expect(server.mock.calls.map(([path]) => path)).toEqual(['/api/recovery/valid']);
});
