// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { announcer } from '$lib/announcer.svelte';
import { fireEvent, render, screen, useFrench, userEvent } from '$lib/testing';
import Choice from './Choice.svelte';
import ConfirmButton from './ConfirmButton.svelte';
import TextField from './TextField.svelte';
import TurnInput from './TurnInput.svelte';

beforeAll(useFrench);
afterEach(() => vi.useRealTimers());

describe('a button that acts on the second click', () => {
  const show = () => {
    const onconfirm = vi.fn();
    render(ConfirmButton, { label: 'Abandonner', confirm: 'Vraiment', onconfirm });
    return onconfirm;
  };

  it('shows what the second click will do', async () => {
    const user = userEvent.setup();
    const onconfirm = show();
    await user.click(screen.getByRole('button', { name: 'Abandonner' }));
    expect(onconfirm).not.toHaveBeenCalled();
    expect(announcer.message).toMatch(/Vraiment/);
    await user.click(screen.getByRole('button', { name: 'Vraiment' }));
    expect(onconfirm).toHaveBeenCalledOnce();
  });

  it('is reset by Escape, and automatically after a delay', async () => {
    vi.useFakeTimers();
    const onconfirm = show();
    const button = screen.getByRole('button');
    await fireEvent.click(button);
    await fireEvent.keyDown(button, { key: 'Escape' });
    expect(screen.getByRole('button', { name: 'Abandonner' })).toBe(button);
    await fireEvent.click(button);
    await vi.advanceTimersByTimeAsync(5000);
    expect(screen.getByRole('button', { name: 'Abandonner' })).toBe(button);
    expect(onconfirm).not.toHaveBeenCalled();
  });
});

it('a choice selects one of its options', async () => {
  const user = userEvent.setup();
  const options = ['one', 'two'].map((value) => ({ value, label: value }));
  render(Choice, { legend: 'Le jeu', name: 'choice', options, value: 'one' });
  expect(screen.getByRole('group', { name: 'Le jeu' })).toBeTruthy();
  await user.click(screen.getByRole('radio', { name: 'two' }));
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'two' }).checked).toBe(true);
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'one' }).checked).toBe(false);
});

it('a field is described by its hint', () => {
  render(TextField, { label: 'Nom', value: '', hint: 'Vingt signes au plus' });
  const field = screen.getByRole('textbox', { name: 'Nom' });
  const hint = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  expect(hint?.textContent).toBe('Vingt signes au plus');
});

it('a refused turn stays in its field, with the reason', async () => {
  const user = userEvent.setup();
  const onturn = vi.fn((text: string) =>
    text === 'e4' ? null : { code: 'turn-illegal', args: { turn: text } },
  );
  render(TurnInput, { onturn });
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Saisir un coup' });
  await user.type(field, 'e5{Enter}');
  expect(field.value).toBe('e5');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByRole('alert').id).toBe(field.getAttribute('aria-describedby'));
  await user.type(field, '{Backspace}4');
  expect(screen.queryByRole('alert')).toBeNull();
  await user.keyboard('{Enter}');
  expect(field.value).toBe('');
});
