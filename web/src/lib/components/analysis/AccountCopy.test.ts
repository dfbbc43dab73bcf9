// @vitest-environment happy-dom
import { beforeAll, expect, it, vi } from 'vitest';
import { visitor } from '$lib/account/me.svelte';
import type { Analysis } from '$lib/analysis/analysis.svelte';
import type { Records } from '$lib/analysis/module';
import { saveAnalysis } from '$lib/analysis/saved';
import type { Account } from '$lib/api';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench, userEvent } from '$lib/testing';
import AccountCopy from './AccountCopy.svelte';

vi.mock('$lib/analysis/saved', async (original) => ({
  ...(await original<object>()),
  saveAnalysis: vi.fn(),
}));

beforeAll(async () => {
  await useFrench();
  await i18n.need('analysis');
  visitor.setAccount({ name: 'Bela' } as Account);
});

/** Resolves a conflict by keeping both versions. Returns the name of the copy. */
async function keepBoth(name: string): Promise<string | undefined> {
  const save = vi.mocked(saveAnalysis).mockReset();
  const analysis = {
    saved: { id: 'aB3dE5gH7jK9', name, version: 1 },
    newer: 2,
    isChanged: true,
    tags: [],
    variant: 'chess',
    tree: { changes: 0 },
  } as unknown as Analysis;
  const records = { writePgn: () => '*' } as unknown as Records;
  const { unmount } = render(AccountCopy, { analysis, records, onsaved: () => {} });
  await userEvent.setup().click(screen.getByRole('button', { name: 'Garder les deux' }));
  unmount();
  expect(save).toHaveBeenCalledOnce();
  return save.mock.calls[0]?.[1];
}

it('names the copy after the original', async () => {
  expect(await keepBoth('Une finale')).toBe('Une finale (copie)');
});

it('shortens a long name, so that the copy can be saved', async () => {
  const longest = `${'n'.repeat(92)} (copie)`;
  expect(longest.length).toBe(100);
  for (const length of [92, 93, 100]) expect(await keepBoth('n'.repeat(length))).toBe(longest);
});

it('does not split a character', async () => {
  // Each clef counts as two.
  expect(await keepBoth(`n${'𝄞'.repeat(49)}`)).toBe(`n${'𝄞'.repeat(45)} (copie)`);
});
