// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import type { TimeControl } from '$lib/api';
import { render, screen, useFrench } from '$lib/testing';
import ClockPicker from './ClockPicker.svelte';

beforeAll(useFrench);

const chosen = (): string | undefined =>
  screen.getAllByRole<HTMLInputElement>('radio').find(({ checked }) => checked)?.value;
const field = (label: string): number =>
  screen.getByLabelText<HTMLInputElement>(label).valueAsNumber;

it('shows the fields of a time control that is not in the list', () => {
  const control: TimeControl = { type: 'fischer', initialMs: 12.5 * 60_000, incrementMs: 7_000 };
  render(ClockPicker, { control, isMachine: true });
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'autre…' }).checked).toBe(true);
  expect(field('Minutes par joueur')).toBe(12.5);
  expect(field('Secondes ajoutées par coup')).toBe(7);
});

it('chooses a time control that is in the list', () => {
  const control: TimeControl = { type: 'correspondence', daysPerTurn: 3 };
  render(ClockPicker, { control, isMachine: true });
  expect(chosen()).toMatch(/3/);
  expect(screen.queryByLabelText('Minutes par joueur')).toBeNull();
});
