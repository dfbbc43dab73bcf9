// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { RefusalError } from '$lib/refusal';
import { render, screen, useFrench } from '$lib/testing';
import type { Toast } from '$lib/toasts.svelte';
import ToastCard from './ToastCard.svelte';

beforeAll(useFrench);
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function show(changes: Partial<Toast>) {
  const onclose = vi.fn();
  const toast = { key: 'k', title: 'Titre', text: 'Texte', actions: [], fades: false, ...changes };
  render(ToastCard, { toast, onclose });
  return onclose;
}

it('disappears automatically only if it fades, and not while it has the focus', async () => {
  const stays = show({});
  await vi.advanceTimersByTimeAsync(120_000);
  expect(stays).not.toHaveBeenCalled();

  const leaves = show({ fades: true, actions: [{ label: 'Y aller', run: () => {} }] });
  screen.getByRole('button', { name: 'Y aller' }).focus();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(leaves).not.toHaveBeenCalled();
  screen.getByRole('button', { name: 'Y aller' }).blur();
  await vi.advanceTimersByTimeAsync(21_000);
  expect(leaves).toHaveBeenCalledOnce();
});

it('counts down, and then runs its action', async () => {
  const run = vi.fn();
  const onclose = show({ countdown: { seconds: 3, run } });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(run).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([run.mock.calls.length, onclose.mock.calls.length]).toEqual([1, 1]);
});

it('says why its action was refused, and stays', async () => {
  const refusal = { code: 'maker-away', args: {} };
  const run = () => Promise.reject(new RefusalError(refusal));
  const onclose = show({ actions: [{ label: 'Accepter', run }] });
  screen.getByRole('button', { name: 'Accepter' }).click();
  await vi.advanceTimersByTimeAsync(0);
  expect(screen.getByRole('alert').textContent).toContain('vient de partir');
  expect(onclose).not.toHaveBeenCalled();
});
