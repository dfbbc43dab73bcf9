import { expect, it } from 'vitest';
import { keyOf, presets, readControls, commonControls } from './presets.svelte';

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

it('gives each common clock a different key', () => {
  expect(new Set(commonControls.map(keyOf)).size).toBe(commonControls.length);
});
