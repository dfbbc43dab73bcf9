// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { TimeControl } from '$lib/api';
import { house } from '$lib/house.svelte';
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

describe("when the house's list arrives later", () => {
  const uncommon: TimeControl = { type: 'fischer', initialMs: 12.5 * 60_000, incrementMs: 7_000 };
  const blitz: TimeControl = { type: 'fischer', initialMs: 5 * 60_000, incrementMs: 0 };
  const initialSettings = house.settings;
  afterEach(() => {
    house.settings = initialSettings;
  });

  /** Returns the chosen time control once the house offers only `clocks`. */
  function chosenOf(clocks: TimeControl[]): string | undefined {
    render(ClockPicker, { control: uncommon, isMachine: true });
    house.settings = { ...initialSettings, clocks };
    flushSync();
    return chosen();
  }

  it('keeps a time control that is in the list', () => {
    expect(chosenOf([blitz, uncommon])).toMatch(/750000/);
    expect(screen.queryByLabelText('Minutes par joueur')).toBeNull();
  });

  it('replaces a time control that is not in the list', () => {
    expect(chosenOf([blitz])).toBe('type=unlimited');
  });
});
