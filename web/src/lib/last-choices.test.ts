import { describe, expect, it } from 'vitest';
import { readChoices } from './last-choices.svelte';

const defaults = readChoices(null);

describe('the choices for a new game', () => {
  it('start with a casual game against the machine without a clock', () => {
    expect(defaults).toMatchObject({
      opponent: 'machine',
      color: 'random',
      control: { type: 'unlimited' },
      casual: true,
    });
  });

  it('are restored as they were stored', () => {
    const stored = {
      opponent: 'friend',
      level: 7,
      color: 'black',
      control: { type: 'fischer', initialMs: 300_000, incrementMs: 3_000 },
      touchMove: true,
      drawRules: 'fide',
      casual: false,
      games: '3',
    };
    expect(readChoices(JSON.stringify(stored))).toEqual(stored);
  });

  it('keep the valid values when others are unknown', () => {
    const stored = { opponent: 'ghost', level: 99, color: 'black', control: { type: 'sand' } };
    expect(readChoices(JSON.stringify(stored))).toEqual({ ...defaults, color: 'black' });
  });

  it.each(['', '{', 'null', '7', '[]', '{"control":null}'])('are the defaults for %s', (text) => {
    expect(readChoices(text)).toEqual(defaults);
  });
});
