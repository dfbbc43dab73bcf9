// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it } from 'vitest';
import { loadFailures } from '$lib/load-failures.svelte';
import { storeCompleteRelease } from '$lib/offline-files';
import { render, screen, useFrench } from '$lib/testing';
import LoadFailure from './LoadFailure.svelte';

beforeAll(useFrench);
afterEach(() => localStorage.clear());

const show = (code: string) =>
  render(LoadFailure, { refusal: { code, args: {} }, onretry: () => {} });
const links = () => screen.queryAllByRole('link').map(({ textContent }) => textContent);

it('without a network, links to the pages that still open', () => {
  show('network');
  expect(links()).toEqual(['Règles', 'Exercices']);
});

it('if all files are cached, links to the problems and the analysis too', () => {
  storeCompleteRelease('release');
  show('network');
  expect(links()).toEqual(['Règles', 'Exercices', 'Problèmes', 'Analyse']);
});

it('has no links if the server has refused the request', () => {
  show('forbidden');
  expect(links()).toEqual([]);
});

it('is counted while it is shown, so that the menu is not hidden', () => {
  expect(loadFailures.areShown).toBe(false);
  const { unmount } = show('network');
  expect(loadFailures.areShown).toBe(true);
  unmount();
  expect(loadFailures.areShown).toBe(false);
});
