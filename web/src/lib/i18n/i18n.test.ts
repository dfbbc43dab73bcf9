import { expect, it, vi } from 'vitest';
import { I18n } from './i18n.svelte';
import type { Part } from './parts';

const loaded: Part[] = [];

// What is asked for first comes last.
vi.mock('./parts', () => ({
  loadPart: async (_: string, part: Part): Promise<string> => {
    loaded.push(part);
    await new Promise((resolve) => setTimeout(resolve, loaded.length === 1 ? 40 : 5));
    return `${part}-word = ${part}`;
  },
}));

it('holds the words of all parts, in whatever order they come', async () => {
  vi.stubGlobal('document', { documentElement: {} });
  const words = new I18n();
  await words.use('fr');
  const first = words.need('analysis');
  // Who asks for the same at the same time waits for it, too.
  const again = words.need('analysis').then(() => words.has('analysis-word'));
  await Promise.all([first, words.need('problem'), words.need('compose')]);
  expect(await again).toBe(true);
  expect(['analysis', 'problem', 'compose'].filter((part) => !words.has(`${part}-word`))).toEqual(
    [],
  );
  expect(words.text('compose-word')).toBe('compose');
  expect(words.has('error-network')).toBe(true);
});
