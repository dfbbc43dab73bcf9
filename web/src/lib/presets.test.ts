import { expect, it } from 'vitest';
import { commonControls, keyOf, presets, readControls, speedOf } from './presets.svelte';

it('saves a clock only once, and removes it', () => {
  const own = { type: 'delay', initialMs: 420_000, delayMs: 4000 } as const;
  presets.add(own);
  presets.add({ ...own });
  const [usual] = commonControls;
  if (usual) presets.add(usual);
  expect(presets.own).toEqual([own]);
  presets.remove({ ...own });
  expect(presets.own).toEqual([]);
});

it('ignores invalid stored clocks', () => {
  const good = { type: 'fischer', initialMs: 60_000, incrementMs: 0 };
  const bad = [{ type: 'fischer', initialMs: 'x' }, null, 3, { type: 'sand' }];
  expect(readControls(JSON.stringify([good, ...bad]))).toEqual([good]);
  expect(readControls('{')).toEqual([]);
  expect(readControls('{}')).toEqual([]);
  expect(readControls(null)).toEqual([]);
});

it('gives the same clock the same key, whatever the order of its fields', () => {
  const asSent = { type: 'fischer', initialMs: 600_000, incrementMs: 5000 } as const;
  const sorted = { incrementMs: 5000, initialMs: 600_000, type: 'fischer' } as const;
  expect(keyOf(sorted)).toBe(keyOf(asSent));
});

it('gives each common clock a different key', () => {
  expect(new Set(commonControls.map(keyOf)).size).toBe(commonControls.length);
});

it.each([
  [1, 0, 'bullet'],
  [3, 0, 'blitz'],
  [5, 3, 'blitz'],
  [10, 0, 'rapid'],
  [15, 10, 'rapid'],
  [30, 20, 'classical'],
] as const)('%i + %i is %s', (minutes, seconds, speed) => {
  const control = {
    type: 'fischer',
    initialMs: minutes * 60_000,
    incrementMs: seconds * 1000,
  } as const;
  expect(speedOf(control)).toBe(speed);
});
