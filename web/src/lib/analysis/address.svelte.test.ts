// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { rulesForTests } from '../game/fixtures';
import { router } from '../routing/router.svelte';
import { AnalysisAddress } from './address.svelte';
import { Analysis } from './analysis.svelte';
import { readDraft } from './draft';

let stop: () => void = () => {};

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
});

/** Binds an analysis to the address of a page at this path. */
function follow(path: string, analysis: Analysis): AnalysisAddress {
  router.go(path, 'replace');
  const address = new AnalysisAddress(analysis);
  stop = $effect.root(() => address.follow());
  flushSync();
  return address;
}

it('puts the current line into the address, while the browser stores the whole tree', () => {
  const analysis = new Analysis(rulesForTests(), 'chess');
  follow('/analysis/chess', analysis);
  expect(router.address).toBe('/analysis/chess');
  vi.advanceTimersByTime(500);
  analysis.play('e2e4');
  flushSync();
  expect(router.address).toBe('/analysis/chess#turns=e2e4&ply=1');
  expect(readDraft('chess')?.game.main.nodes.map(({ turn }) => turn)).toEqual(['e2e4']);
  // A comment is not part of the address, but it is stored.
  analysis.tree.setComment(analysis.current, 'Mieux');
  flushSync();
  expect(readDraft('chess')?.game.main.nodes[0]?.comments).toEqual(['Mieux']);
});

it('updates the address at most a few times per second, ending with the latest state', () => {
  const analysis = new Analysis(rulesForTests(), 'chess');
  follow('/analysis/chess', analysis);
  vi.advanceTimersByTime(500);
  for (const step of ['e2e4', 'e7e5', 'g1f3']) {
    analysis.play(step);
    flushSync();
  }
  expect(router.fragment).toBe('turns=e2e4&ply=1');
  vi.advanceTimersByTime(400);
  expect(router.fragment).toBe('turns=e2e4.e7e5.g1f3&ply=3');
});

it.each(['blur', 'pagehide'])('writes the latest state to the address on %s', (type) => {
  const analysis = new Analysis(rulesForTests(), 'chess');
  follow('/analysis/chess', analysis);
  vi.advanceTimersByTime(500);
  for (const step of ['e2e4', 'e7e5']) {
    analysis.play(step);
    flushSync();
  }
  expect(router.fragment).toBe('turns=e2e4&ply=1');
  dispatchEvent(new Event(type));
  expect(router.fragment).toBe('turns=e2e4.e7e5&ply=2');
});

it('keeps the address of a game until another one is opened', () => {
  const analysis = new Analysis(rulesForTests(), 'chess');
  analysis.begin('', { id: 'aB3dE5gH7jK9', view: analysis.game });
  follow('/analysis/game/aB3dE5gH7jK9', analysis);
  vi.advanceTimersByTime(500);
  analysis.play('e2e4');
  flushSync();
  expect(router.address).toBe('/analysis/game/aB3dE5gH7jK9#turns=e2e4&ply=1');
  vi.advanceTimersByTime(500);
  analysis.openFen('4k3/8/8/8/8/8/8/4K3 w - - 0 1');
  flushSync();
  vi.advanceTimersByTime(500);
  expect(router.path).toBe('/analysis/chess');
});

it('keeps the address of a saved analysis until another one is opened', () => {
  const rules = rulesForTests();
  const analysis = new Analysis(rules, 'chess');
  const address = follow('/analysis/chess', analysis);
  analysis.markSaved({ id: 'aB3dE5gH7jK9', name: 'Une', version: 1 }, analysis.tree.changes);
  address.saved('aB3dE5gH7jK9');
  flushSync();
  expect(router.path).toBe('/analysis/saved/aB3dE5gH7jK9');
  vi.advanceTimersByTime(500);
  analysis.openFen('4k3/8/8/8/8/8/8/4K3 w - - 0 1');
  flushSync();
  vi.advanceTimersByTime(500);
  expect(router.path).toBe('/analysis/chess');
  expect(address.shared).toMatch(/^\/analysis\/chess#fen=/);
});
