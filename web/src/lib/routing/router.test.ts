// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import { router } from './router.svelte';

let stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops) stop();
  stops = [];
  vi.unstubAllGlobals();
});

/**
 * Opens the hall and registers questions to ask before it is left. `refused` is answered with no.
 * Returns a function that lists the questions asked so far.
 */
function open(questions: readonly string[], refused?: string) {
  const ask = vi.fn((question: string) => question !== refused);
  vi.stubGlobal('confirm', ask);
  router.go('/hall');
  stops = questions.map((question) => router.askBeforeLeaving(() => question));
  return () => ask.mock.calls.map(([question]) => question);
}

it('asks every question before the page is left', () => {
  const asked = open(['a', 'b']);
  router.go('/games');
  expect(asked()).toEqual(['a', 'b']);
  expect(router.route.page).toBe('games');
});

it('stays if one of the questions is answered with no, and does not ask the rest', () => {
  const asked = open(['a', 'b', 'c'], 'b');
  router.go('/games');
  expect(asked()).toEqual(['a', 'b']);
  expect(router.route.page).toBe('hall');
});

it('asks the same question only once', () => {
  const asked = open(['a', 'a']);
  router.go('/games');
  expect(asked()).toEqual(['a']);
});

it('asks nothing if only the query changes', () => {
  const asked = open(['a']);
  router.go('/hall?variant=chess');
  expect(asked()).toEqual([]);
});
