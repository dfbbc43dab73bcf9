import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

type Rgba = readonly [number, number, number, number];

const css = readFileSync(new URL('./theme.css', import.meta.url), 'utf8');

function color(name: string): Rgba {
  const value = new RegExp(`--board-${name}: ([^;]+);`).exec(css)?.[1] ?? '';
  const hex = /^#([0-9a-f]{6})$/.exec(value)?.[1];
  const parts =
    hex === undefined
      ? (value.match(/[\d.]+/g) ?? []).map(Number)
      : [0, 2, 4].map((i) => Number.parseInt(hex.slice(i, i + 2), 16));
  const [r, g, b, a = 1] = parts;
  if (r === undefined || g === undefined || b === undefined)
    throw new Error(`missing colour ${name}`);
  return [r, g, b, a];
}

function over([r, g, b, a]: Rgba, [R, G, B]: Rgba): Rgba {
  const mix = (top: number, under: number) => top * a + under * (1 - a);
  return [mix(r, R), mix(g, G), mix(b, B), 1];
}

/** Relative luminance and contrast as defined by WCAG 2. */
function luminance([r, g, b]: Rgba): number {
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function linear(channel: number): number {
  const c = channel / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

function contrast(a: Rgba, b: Rgba): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const STATES = [
  [],
  ['last-move'],
  ['pending'],
  ['select'],
  ['last-move', 'select'],
  ['last-move', 'pending'],
  ['pending', 'select'],
  ['select', 'select'],
  ['planned'],
  ['planned-soft'],
  ['last-move', 'planned'],
] as const;

it.each(['light', 'dark'])('coordinates are readable on a %s square in every state', (shade) => {
  for (const state of STATES) {
    const ground = state.reduce((under, name) => over(color(name), under), color(shade));
    const text = color(`coordinate-on-${shade}`);
    expect(contrast(text, ground), state.join(' + ')).toBeGreaterThanOrEqual(4.5);
  }
});

it.each(['light', 'dark'])('targets have enough contrast on a %s square', (shade) => {
  const ground = color(shade);
  expect(contrast(over(color('target'), ground), ground)).toBeGreaterThanOrEqual(3);
  expect(contrast(color('touched'), ground)).toBeGreaterThanOrEqual(3);
  expect(contrast(color('take-halo'), color('take'))).toBeGreaterThanOrEqual(3);
  expect(contrast(color('picker-ink'), color('picker'))).toBeGreaterThanOrEqual(4.5);
});
