// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Account, LinkedIdentity } from '$lib/api';
import { house } from '$lib/house.svelte';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench } from '$lib/testing';
import Providers from './Providers.svelte';

beforeAll(async () => {
  await useFrench();
  await i18n.need('account');
});
afterEach(() => vi.unstubAllGlobals());

it('names each provider in words that a member knows', async () => {
  house.signIn = { openid: 'École du Parc', proxy: null };
  const identities: LinkedIdentity[] = [
    { issuer: 'https://id.example', subject: 'a1', provider: 'openid' },
    { issuer: 'header:remote-user', subject: 'lea', provider: 'proxy' },
    { issuer: 'header:x-user', subject: 'lea.b', provider: null },
    { issuer: 'https://old.example', subject: 'b2', provider: null },
  ];
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ identities })));
  render(Providers, { account: { password: false } as Account });
  const items = await screen.findAllByRole('listitem');
  expect(items.map((item) => item.querySelector('.what > span')?.textContent)).toEqual([
    'École du Parc',
    'Serveur d’accès',
    'Serveur d’accès',
    'https://old.example',
  ]);
});
