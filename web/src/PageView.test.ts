// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, speakFrench, userEvent } from '$lib/testing';
import PageView from './PageView.svelte';

beforeAll(speakFrench);
beforeEach(() => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ account: null })));
});
afterEach(() => vi.unstubAllGlobals());

const title = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;

it('shows the page of a route with the values of its path', async () => {
  const { rerender } = render(PageView, { route: { page: 'mail-link-confirm', token: 'one' } });
  expect(title()).toBe(i18n.text('mail-link-confirm-title'));
  await rerender({ route: { page: 'mail-link-stop', token: 'two' } });
  expect(title()).toBe(i18n.text('mail-link-stop-title'));
});

it('begins anew where the path has other values', async () => {
  const user = userEvent.setup();
  const { rerender } = render(PageView, { route: { page: 'mail-link-stop', token: 'one' } });
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
  const heading = await screen.findByRole('heading', { level: 1 }, { timeout: 30_000 });
  expect(heading.textContent).toBe(i18n.text('saved-title'));
}, 60_000);
