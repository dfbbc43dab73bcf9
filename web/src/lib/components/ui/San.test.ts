// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, it } from 'vitest';
import { preferences } from '$lib/preferences.svelte';
import { render, screen, useFrench } from '$lib/testing';
import San from './San.svelte';

beforeAll(useFrench);
afterEach(() => {
  preferences.notation.current = 'letters';
});

it('has the letters of the current language unless the visitor prefers figurines', () => {
  const { container } = render(San, { variant: 'baroque', san: 'Rxa5(a6,c4)' });
  expect(container.textContent?.trim()).toBe('Txa5(a6,c4)');
  expect(container.querySelector('img')).toBeNull();
});

it('has glyphs in chess', () => {
  preferences.notation.current = 'figurines';
  const { container } = render(San, { variant: 'chess', san: 'Nf3+' });
  expect(container.textContent?.replace('\u{FE0E}', '').trim()).toBe('♘f3+');
  expect(container.querySelector('img')).toBeNull();
});

it.each([
  ['baroque', 'Rxa5(a6,c4)', ['T'], 'xa5(a6,c4)'],
  ['ultima', 'M-e4(e4)', ['I'], '-e4(e4)'],
  ['interweave', 'Pc3-c5;Pc5xe5(d5)', ['P', 'P'], 'c3-c5;c5xe5(d5)'],
] as const)(
  'has pictures with letters as their alternative text in %s',
  async (variant, san, letters, rest) => {
    preferences.notation.current = 'figurines';
    const { container } = render(San, { variant, san });
    const pictures = await screen.findAllByRole('img');
    expect(pictures.map((picture) => picture.getAttribute('alt'))).toEqual(letters);
    expect(container.textContent?.trim()).toBe(rest);
  },
);
