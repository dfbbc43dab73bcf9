// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { i18n, type MessageKey } from '$lib/i18n/i18n.svelte';
import { render, screen, speakFrench, userEvent } from '$lib/testing';
import PageView from './PageView.svelte';

beforeAll(speakFrench);
beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ account: null })));
});
afterEach(() => vi.unstubAllGlobals());

/** Waits until a page is shown, whose code may have to be compiled first. */
const titled = (key: MessageKey): Promise<HTMLElement> =>
  screen.findByRole('heading', { level: 1, name: i18n.text(key) }, { timeout: 30_000 });

it('shows the page of a route with the values of its path', async () => {
  const { rerender } = render(PageView, { route: { page: 'mail-link-confirm', token: 'one' } });
  await titled('mail-link-confirm-title');
  await rerender({ route: { page: 'mail-link-stop', token: 'two' } });
  await titled('mail-link-stop-title');
}, 60_000);

it('shows a page of the first load at once', () => {
  render(PageView, { route: { page: 'home' } });
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(i18n.text('home-title'));
});

it('begins anew where the path has other values', async () => {
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

it('fetches what few look for, with its messages', async () => {
  render(PageView, { route: { page: 'saved-analyses' } });
  expect(screen.getByText(i18n.text('loading'))).toBeTruthy();
  // Its messages come with it.
  const heading = await screen.findByRole('heading', { level: 1 }, { timeout: 30_000 });
  expect(heading.textContent).toBe(i18n.text('saved-title'));
}, 60_000);
