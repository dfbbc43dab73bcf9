// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { i18n } from '$lib/i18n/i18n.svelte';
import { router } from '$lib/routing/router.svelte';
import { pathOf } from '$lib/routing/routes';
import { render, screen, useFrench, userEvent } from '$lib/testing';
import Passwords from './Passwords.svelte';

beforeAll(async () => {
  await useFrench();
  await i18n.need('admin');
});
afterEach(() => vi.unstubAllGlobals());

const pupils = [
  { name: 'Léa', password: 'bado-kemu-tila' },
  { name: 'Hugo', password: 'tunu-fofe-danu' },
];

/** Opens a sheet on the pupils' page; `answer` is the reply to requests for confirmation. */
function open(answer: boolean) {
  const ask = vi.fn((_question: string) => answer);
  vi.stubGlobal('confirm', ask);
  router.go(pathOf('admin', { section: 'pupils' }));
  return { ask, unmount: render(Passwords, { title: 'CM2', pupils }).unmount };
}

describe('a password sheet', () => {
  it('stays open if the visitor does not confirm leaving it', () => {
    const { ask } = open(false);
    router.go(pathOf('hall'));
    expect(ask).toHaveBeenCalledWith(expect.stringContaining('ni imprimée ni copiée'));
    expect(router.route.page).toBe('admin');
    const unload = new Event('beforeunload', { cancelable: true });
    const stop = router.listen();
    expect(dispatchEvent(unload)).toBe(false);
    stop();
  });

  it('is left once the visitor confirms', () => {
    const { ask } = open(true);
    router.go(pathOf('hall'));
    expect(ask).toHaveBeenCalledOnce();
    expect(router.route.page).toBe('hall');
  });

  it('is left without confirmation once it is copied or printed', async () => {
    const user = userEvent.setup();
    const { ask, unmount } = open(false);
    await user.click(screen.getByRole('button', { name: 'Copier la liste' }));
    expect(await navigator.clipboard.readText()).toBe('Léa\tbado-kemu-tila\nHugo\ttunu-fofe-danu');
    router.go(pathOf('hall'));
    expect(router.route.page).toBe('hall');
    unmount();

    vi.stubGlobal('print', vi.fn());
    const { ask: askAgain } = open(false);
    await user.click(screen.getByRole('button', { name: 'Imprimer' }));
    router.go(pathOf('hall'));
    expect(ask).not.toHaveBeenCalled();
    expect(askAgain).not.toHaveBeenCalled();
    expect(router.route.page).toBe('hall');
  });
});
