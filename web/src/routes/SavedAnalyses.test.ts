// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { visitor } from '$lib/account/me.svelte';
import type { Account, AnalysisList } from '$lib/api';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench, userEvent, waitFor } from '$lib/testing';
import SavedAnalyses from './SavedAnalyses.svelte';

const list: AnalysisList = {
  analyses: [{ id: 'a', name: 'Finale', variant: 'chess', version: 1, createdAt: 0, changedAt: 0 }],
  limit: 50,
};

beforeAll(async () => {
  await useFrench();
  await i18n.need('analysis');
});
afterEach(() => {
  visitor.setAccount(null);
  vi.unstubAllGlobals();
});

it('renaming focuses and selects the name, and returns the focus to the button afterwards', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json(list)));
  visitor.setAccount({ name: 'Ada' } as Account);
  const user = userEvent.setup();
  render(SavedAnalyses);
  await user.click(await screen.findByRole('button', { name: /Renommer/ }));
  const field = screen.getByRole<HTMLInputElement>('textbox');
  expect(document.activeElement).toBe(field);
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, 'Finale'.length]);
  await user.keyboard('{Escape}');
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: /Renommer/ })),
  );
});
