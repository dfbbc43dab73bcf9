// @vitest-environment happy-dom
import { expect, it, vi } from 'vitest';
import { I18n, t } from './i18n.svelte';
import type { Part } from './parts';

const { arrivals } = vi.hoisted(() => ({
  arrivals: [] as { part: string; arrive: () => void; fail: () => void }[],
}));

// The test decides when each file arrives.
vi.mock('./parts', () => ({
  loadPart: (_: string, part: Part): Promise<string[]> =>
    new Promise((resolve, reject) => {
      const arrive = (): void => resolve([`error-${part}-word = ${part}`]);
      arrivals.push({ part, arrive, fail: () => reject(new Error('no network')) });
    }),
}));

const wordOf = (part: Part) => `error-${part}-word` as const;

it('has the messages of all parts, in whatever order they arrive', async () => {
  const words = new I18n();
  await words.use('fr');
  const first = words.need('analysis');
  // A second request for the same part waits as well.
  const again = words.need('analysis').then(() => words.lookup(wordOf('analysis')));
  const others = [words.need('problem'), words.need('compose')];
  expect(arrivals.map(({ part }) => part).join(' ')).toBe(
    'analysis analysis problem analysis problem compose',
  );
  // The first file arrives last.
  for (const { arrive } of arrivals.toReversed()) arrive();
  await Promise.all([first, ...others]);
  expect(await again).toBe('analysis');
  expect(words.lookup(wordOf('problem'))).toBe('problem');
  expect(words.lookup(wordOf('compose'))).toBe('compose');
  expect(words.lookup('error-network')).not.toBeNull();
});

it('has the messages of a part although a later load has failed', async () => {
  arrivals.length = 0;
  const words = new I18n();
  await words.use('fr');
  const first = words.need('analysis');
  const later = words.need('problem');
  const [early, ...late] = arrivals.splice(0);
  for (const { fail } of late) fail();
  await expect(later).rejects.toThrow('no network');
  early?.arrive();
  await vi.waitFor(() => expect(arrivals).toHaveLength(1));
  arrivals[0]?.arrive();
  await first;
  expect(words.lookup(wordOf('analysis'))).toBe('analysis');
  expect(words.lookup(wordOf('problem'))).toBeNull();
});

it('loads a part for the language that is being chosen', async () => {
  const words = new I18n();
  await words.use('fr');
  const choosing = words.use('en');
  const part = words.need('analysis');
  for (const { arrive } of arrivals) arrive();
  await Promise.all([choosing, part]);
  expect(words.language).toBe('en');
  expect(words.lookup(wordOf('analysis'))).toBe('analysis');
});

it('accepts only existing messages with their arguments', () => {
  const role: string = 'king';
  // The type check verifies that each line after a `@ts-expect-error` is an error.
  expect([
    t('retry'),
    t('board-label'),
    t('piece-king', { color: 'white' }),
    // @ts-expect-error: no message has this key
    t('retri'),
    // @ts-expect-error: not every name is a role
    t(`letter-${role}`),
    // @ts-expect-error: the colour is missing
    t('piece-king'),
    // @ts-expect-error: this message has no such argument
    t('piece-king', { color: 'white', square: 'e1' }),
  ]).toHaveLength(7);
});
