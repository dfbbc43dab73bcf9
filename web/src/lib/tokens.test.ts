import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { boards } from './preferences.svelte';

type Rgba = readonly [number, number, number, number];

const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

/** Returns the custom properties declared in the first block whose selector contains this text. */
function block(selector: string): ReadonlyMap<string, string> {
  const [, rest = ''] = css.split(selector);
  const start = selector.endsWith('{') ? 0 : rest.indexOf('{') + 1;
  const declarations = rest.slice(start, rest.indexOf('}'));
  return new Map(
    [...declarations.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [
      name,
      value.replaceAll(/\s+/g, ' '),
    ]),
  );
}

const pageColors = block(':root {');
const marks = block(':where(:root) {');
const boardOf = (name: string): ReadonlyMap<string, string> =>
  block(name === boards[0] ? `[data-board='${name}']` : `:where([data-board='${name}'])`);

function color(values: ReadonlyMap<string, string>, name: string, theme: Theme = 'light'): Rgba {
  const value = values.get(name) ?? '';
  const both = /^light-dark\((.+), (#\w+|rgb\([^)]*\))\)$/.exec(value);
  return rgba(both === null ? value : ((theme === 'light' ? both[1] : both[2]) ?? ''), name);
}

function rgba(value: string, name = value): Rgba {
  const hex = /^#([0-9a-f]{3}|[0-9a-f]{6})$/.exec(value)?.[1];
  const full = hex?.length === 3 ? [...hex].map((digit) => digit + digit).join('') : hex;
  const parts =
    full === undefined
      ? (value.match(/[\d.]+/g) ?? []).map(Number)
      : [0, 2, 4].map((i) => Number.parseInt(full.slice(i, i + 2), 16));
  const [r, g, b, a = 1] = parts;
  if (r === undefined || g === undefined || b === undefined)
    throw new Error(`missing colour ${name}`);
  return [r, g, b, a];
}

function blend([r, g, b, a]: Rgba, [R, G, B]: Rgba): Rgba {
  const mix = (top: number, under: number) => top * a + under * (1 - a);
  return [mix(r, R), mix(g, G), mix(b, B), 1];
}

/** Returns the relative luminance of a colour as WCAG 2 defines it. */
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

/** The combinations of layers that can cover a square, each from the bottom up. */
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

/** The darkest and lightest values of the wood grain, which is drawn over a square. */
const GRAINS = [rgba('rgb(59 29 5 / 0.1)'), rgba('rgb(255 255 255 / 0.12)')];

/**
 * Returns the colours of a board's squares of one shade: in every state, with and without grain.
 */
function squareColors(board: string, theme: Theme, shade: string): [string, Rgba][] {
  const values = boardOf(board);
  const grains = values.get('board-grain') === 'none' ? [] : GRAINS;
  return STATES.flatMap((state) => {
    const ground = state.reduce<Rgba>(
      (under, name) => blend(color(marks, `board-${name}`), under),
      color(values, `board-${shade}`, theme),
    );
    const name = `${shade} square, ${state.join(' + ')}`;
    return [ground, ...grains.map((grain) => blend(grain, ground))].map((shown): [string, Rgba] => [
      name,
      shown,
    ]);
  });
}

/** The drawings of the men, by path. */
const MEN = import.meta.glob<string>(['./pieces/*/*.svg', '../../../games/*/men/*.svg'], {
  eager: true,
  query: '?raw',
  import: 'default',
});

/**
 * Returns the colours of a man's body and outline, taken from the first filled and outlined group
 * or path.
 */
function bodyOf(svg: string): { fills: Rgba[]; outline: Rgba } {
  const [, fill = '', stroke = ''] =
    /<(?:g|path) fill="((?!none)[^"]+)" stroke="(#\w+)" stroke-width="[34]"/.exec(svg) ?? [];
  const stops = [...svg.matchAll(/stop-color="(#\w+)"/g)].map(([, value = '']) => rgba(value));
  return { fills: fill === 'url(#g)' ? stops : [rgba(fill)], outline: rgba(stroke) };
}

const everyBoard = boards.flatMap((board) => THEMES.map((theme) => [board, theme] as const));

describe.each(everyBoard)('the %s board in the %s theme', (board, theme) => {
  it.each(Object.entries(MEN))('shows %s with a contrast of at least 3:1', (_, svg) => {
    const { fills, outline } = bodyOf(svg);
    for (const [name, ground] of ['light', 'dark'].flatMap((shade) =>
      squareColors(board, theme, shade),
    )) {
      expect(contrast(outline, ground), `outline on a ${name}`).toBeGreaterThanOrEqual(3);
      // A white piece is distinguished from its square by its outline; a black one by its whole
      // shape.
      for (const fill of fills)
        expect(
          Math.max(contrast(fill, ground), contrast(fill, outline)),
          `body on a ${name}`,
        ).toBeGreaterThanOrEqual(3);
    }
  });

  it.each(['light', 'dark'])('has readable coordinates on its %s squares', (shade) => {
    const text = color(boardOf(board), `board-coordinate-on-${shade}`);
    for (const [name, ground] of squareColors(board, theme, shade))
      expect(contrast(text, ground), name).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['light', 'dark'])('shows marks and arrows on its %s squares', (shade) => {
    const ground = color(boardOf(board), `board-${shade}`, theme);
    const mark = (name: string) => blend(color(marks, `board-${name}`), ground);
    expect(contrast(mark('target'), ground)).toBeGreaterThanOrEqual(3);
    expect(contrast(mark('touched'), ground)).toBeGreaterThanOrEqual(3);
    expect(contrast(mark('take-halo'), mark('take'))).toBeGreaterThanOrEqual(3);
    // An arrow is distinguished from the square by its colour or its rim, on any board and over any
    // piece.
    for (const brush of ['plain', 'shift', 'alt', 'shift-alt', 'chain'])
      expect(
        contrast(mark(`arrow-${brush}`), mark('arrow-rim')),
        `arrow ${brush}`,
      ).toBeGreaterThanOrEqual(3);
  });

  it('distinguishes light squares from dark ones', () => {
    const [light, dark] = ['light', 'dark'].map((shade) =>
      color(boardOf(board), `board-${shade}`, theme),
    ) as [Rgba, Rgba];
    expect(contrast(light, dark)).toBeGreaterThanOrEqual(1.75);
  });
});

it('white and black men can be distinguished', () => {
  for (const [path, svg] of Object.entries(MEN)) {
    if (!path.includes('/white-')) continue;
    const other = MEN[path.replace('/white-', '/black-')] ?? '';
    for (const white of bodyOf(svg).fills)
      for (const black of bodyOf(other).fills)
        expect(contrast(white, black), path).toBeGreaterThanOrEqual(5);
  }
});

it('the boards offered are the boards in the style sheet', () => {
  const names = [...css.matchAll(/\[data-board='(\w+)'\]/g)].map(([, name]) => name);
  expect(names).toEqual([...boards]);
});

describe.each(THEMES)('the page in the %s theme', (theme) => {
  const papers = ['paper', 'surface', 'sunken'];
  it.each([
    ...papers.flatMap((ground) =>
      ['ink', 'ink-soft', 'accent', 'danger'].map((ink) => [ink, ground]),
    ),
    ['ink', 'accent-soft'],
    ['accent', 'accent-soft'],
    ['on-accent', 'accent'],
    ['on-accent', 'accent-strong'],
    ['danger', 'danger-soft'],
    ['board-picker-ink', 'board-picker'],
  ])('%s is readable on %s', (ink = '', ground = '') => {
    const find = (name: string) => color(pageColors.has(name) ? pageColors : marks, name, theme);
    expect(contrast(find(ink), find(ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(papers)('the border of a control is visible on %s', (ground) => {
    expect(
      contrast(color(pageColors, 'line-strong', theme), color(pageColors, ground, theme)),
    ).toBeGreaterThanOrEqual(3);
  });
});

it('no other style sheet defines a colour', () => {
  const sources = import.meta.glob<string>(['../**/*.svelte', '../*.css'], {
    eager: true,
    query: '?raw',
    import: 'default',
  });
  for (const [path, text] of Object.entries(sources)) {
    const style = path.endsWith('.css') ? text : (text.split('<style>')[1] ?? '');
    expect(
      style.match(/#[0-9a-f]{3,8}\b(?=[^{}]*;)|\b(?:rgb|hsl|oklch)\(/i)?.[0],
      path,
    ).toBeUndefined();
  }
});
