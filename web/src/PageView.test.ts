// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { i18n, type MessageKey } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench, userEvent } from '$lib/testing';
import PageView from './PageView.svelte';

beforeAll(async () => {
  await useFrench();
  // The tests look up titles before the page has loaded their messages.
  await i18n.need('account');
});
beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ account: null })));
});
afterEach(() => vi.unstubAllGlobals());

/** Waits for the page with this title; its code may have to be compiled first. */
const titled = (key: MessageKey): Promise<HTMLElement> =>
  screen.findByRole('heading', { level: 1, name: i18n.text(key) }, { timeout: 30_000 });

it('shows the page for a route, with its path parameters', async () => {
  const { rerender } = render(PageView, { route: { page: 'mail-link-confirm', token: 'one' } });
  await titled('mail-link-confirm-title');
  await rerender({ route: { page: 'mail-link-stop', token: 'two' } });
  await titled('mail-link-stop-title');
}, 60_000);

it('shows a page from the initial bundle at once', () => {
  render(PageView, { route: { page: 'home' } });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^À quoi jouons-nous\s\?$/);
});

it('recreates the page when the path parameters change', async () => {
  const user = userEvent.setup();
  const { rerender } = render(PageView, { route: { page: 'mail-link-stop', token: 'one' } });
  await titled('mail-link-stop-title');
  await user.click(screen.getByRole('button', { name: i18n.text('mail-link-stop-button') }));
  expect(await screen.findByRole('status')).toBeTruthy();
  await rerender({ route: { page: 'mail-link-stop', token: 'one' } });
  expect(screen.queryByRole('status')).not.toBeNull();
  await rerender({ route: { page: 'mail-link-stop', token: 'two' } });
  expect(screen.queryByRole('status')).toBeNull();
});

it('loads rarely used pages and their messages on demand', async () => {
  render(PageView, { route: { page: 'saved-analyses' } });
  expect(screen.getByText('Chargement…')).toBeTruthy();
  // The heading is written out, because `i18n.text` returns the key of a missing message, and the
  // page would show the same key.
  const heading = await screen.findByRole('heading', { level: 1 }, { timeout: 30_000 });
  expect(heading.textContent).toBe('Vos analyses');
}, 60_000);

it('does not create the previous page again with the parameters of the new one', async () => {
  const requests: string[] = [];
  vi.stubGlobal('fetch', (url: string | URL | Request) => {
    requests.push(url instanceof Request ? url.url : String(url));
    return Promise.resolve(Response.json({}));
  });
  const { rerender } = render(PageView, { route: { page: 'recover', token: 'one' } });
  await vi.waitFor(() => expect(requests.join()).toContain('one'), { timeout: 30_000 });
  await rerender({ route: { page: 'mail-link-stop', token: 'two' } });
  await titled('mail-link-stop-title');
  await rerender({ route: { page: 'recover', token: 'three' } });
  await vi.waitFor(() => expect(requests.join()).toContain('three'), { timeout: 30_000 });
  await rerender({ route: { page: 'saved-analyses' } });
  await screen.findByRole('heading', { level: 1, name: 'Vos analyses' }, { timeout: 30_000 });
  expect(requests.filter((url) => /undefined|two/.test(url))).toEqual([]);
}, 60_000);
