// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { i18n } from '$lib/i18n/i18n.svelte';
import { router } from '$lib/routing/router.svelte';
import { render, screen, useFrench, userEvent, waitFor } from '$lib/testing';
import PageFailure from './PageFailure.svelte';

beforeAll(useFrench);

const reload = vi.spyOn(router, 'reload').mockImplementation(() => {});
/** Age of the document in milliseconds. */
let age = 60_000;
beforeEach(() => {
  reload.mockClear();
  age = 60_000;
  vi.spyOn(performance, 'now').mockImplementation(() => age);
});
afterEach(() => vi.unstubAllGlobals());

function show(code: string): void {
  render(PageFailure, { refusal: { code, args: {} } });
}

it('says that the page is outdated, and reloads it on click', async () => {
  show('page-outdated');
  expect(screen.getByRole('alert').textContent).toContain(i18n.text('error-page-outdated'));
  expect(reload).not.toHaveBeenCalled();
  await userEvent.setup().click(screen.getByRole('button', { name: i18n.text('reload') }));
  expect(reload).toHaveBeenCalledOnce();
});

it('reloads automatically when the server is back', async () => {
  let respond = (): void => {};
  vi.stubGlobal('fetch', () => new Promise((resolve) => (respond = () => resolve(new Response()))));
  show('network');
  expect(screen.getByText(i18n.text('retrying'))).toBeTruthy();
  expect(reload).not.toHaveBeenCalled();
  respond();
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
});

it('does not reload repeatedly if a new document fails as well', () => {
  age = 2_000;
  const requests = vi.fn(() => Promise.resolve(new Response()));
  vi.stubGlobal('fetch', requests);
  show('network');
  expect(requests).not.toHaveBeenCalled();
  expect(screen.getByRole('button', { name: i18n.text('retry') })).toBeTruthy();
});
