// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { tick } from 'svelte';
import type { Seek } from '$lib/api';
import { emptyHall } from '$lib/hall/apply';
import { hallState } from '$lib/hall/hall.svelte';
import { i18n } from '$lib/i18n/i18n.svelte';
import { render, screen, useFrench } from '$lib/testing';
import Hall from './Hall.svelte';

beforeAll(async () => {
  await useFrench();
  await i18n.need('hall');
});
beforeEach(() => {
  // The lists are set by the tests, without a socket.
  vi.spyOn(hallState, 'showLists').mockReturnValue(() => {});
});
afterEach(() => {
  hallState.hall = emptyHall;
  hallState.isKnown = false;
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const PROPOSALS = 'Propositions ouvertes';
const TILES = 'Jouer tout de suite';

/** Makes the window narrower than all breakpoints of the page, or wider than all of them. */
function useWindow({ narrow }: { narrow: boolean }): void {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width') === narrow,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
}

async function receiveOffers(count: number): Promise<void> {
  const seeks = Array.from({ length: count }, (_, index): Seek => ({
    id: `seek-${index}`,
    name: null,
    color: 'random',
    settings: { variant: 'chess' },
    createdAt: 0,
  }));
  hallState.hall = { ...emptyHall, seeks };
  hallState.isKnown = true;
  await tick();
}

/** Returns the titles of the offers and the tiles in their order on the page. */
const order = (): (string | null)[] =>
  screen
    .getAllByRole('heading', { level: 2, hidden: true })
    .map(({ textContent }) => textContent)
    .filter((title) => title === PROPOSALS || title === TILES);

const link = (): HTMLElement | null => screen.queryByRole('link', { name: /^Propositions\s:/ });

it('puts a few open offers before the tiles on a phone, and keeps the list there when they go', async () => {
  useWindow({ narrow: true });
  render(Hall);
  await receiveOffers(2);
  expect(order()).toEqual([PROPOSALS, TILES]);
  expect(link()).toBeNull();
  await receiveOffers(0);
  expect(order()).toEqual([PROPOSALS, TILES]);
});

it('does not move the tiles on a phone when an offer arrives, but links to it', async () => {
  useWindow({ narrow: true });
  const { container } = render(Hall);
  await receiveOffers(0);
  expect(link()).toBeNull();
  await receiveOffers(1);
  expect(order()).toEqual([TILES, PROPOSALS]);
  const target = link()?.getAttribute('href') ?? '';
  expect(container.querySelector(target)?.textContent).toContain(PROPOSALS);
});

it('does not make the tiles on a phone wait for lists that do not arrive', async () => {
  vi.useFakeTimers();
  useWindow({ narrow: true });
  render(Hall);
  // The offers are still being loaded, which hides what follows them.
  expect(order()).toEqual([PROPOSALS, TILES]);
  await vi.advanceTimersByTimeAsync(1500);
  expect(order()).toEqual([TILES, PROPOSALS]);
  await receiveOffers(2);
  expect(order()).toEqual([TILES, PROPOSALS]);
  expect(link()).toBeTruthy();
});

it('keeps the tiles first if the offers would fill a phone screen, and in a wide window', async () => {
  useWindow({ narrow: true });
  const { unmount } = render(Hall);
  await receiveOffers(9);
  expect(order()).toEqual([TILES, PROPOSALS]);
  expect(link()?.textContent).toMatch(/9/);
  unmount();
  useWindow({ narrow: false });
  render(Hall);
  await receiveOffers(2);
  expect(order()).toEqual([TILES, PROPOSALS]);
  expect(link()).toBeNull();
});
