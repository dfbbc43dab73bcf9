import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { languages, type Language } from './languages';

const root = join(import.meta.dirname, '../../../..');
const read = (...path: string[]): string => readFileSync(join(root, ...path), 'utf8');

/** The glossary's table of the terms used on the page, one row per term. */
const rows = read('docs', 'glossary.md')
  .split(/^## /m)
  .find((section) => section.startsWith('On the page'))
  ?.split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** Returns the words that the page avoids, because it uses another word for the same thing. */
const unwanted = (language: Language): string[] =>
  (rows ?? [])
    .flatMap((cells) => (cells[4] ?? '').split(' · '))
    .filter((cell) => cell.startsWith(`${language}:`))
    .flatMap((cell) => cell.slice(3).split(','))
    .map((word) => word.trim());

/**
 * Returns the contents of a language's files, each with its file name: messages without their keys,
 * and rule pages without the ids of headings and the targets of images and links.
 */
function texts(language: Language): [string, string][] {
  const messages = readdirSync(join(root, 'locales', language)).map((file) => [
    `locales/${language}/${file}`,
    read('locales', language, file),
  ]);
  const games = readdirSync(join(root, 'games'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      readdirSync(join(root, 'games', name))
        .filter((file) => new RegExp(`\\.${language}\\.(ftl|md)$`).test(file))
        .map((file) => [`games/${name}/${file}`, read('games', name, file)]),
    );
  return [...messages, ...games].map(([file = '', text = '']) => [
    file,
    file.endsWith('.ftl')
      ? text
          .replace(/^#.*$/gm, '')
          .replace(/^[\w-]+ =/gm, '')
          .replace(/\{[^{}]*\}/g, 'x')
      : text.replace(/\{#[\w-]+\}|\]\([^)]*\)/g, 'x').replace(/\s+/g, ' '),
  ]);
}

/**
 * Returns a pattern for a word and longer words that begin with it; for only the whole word if it
 * is in quotes.
 */
const pattern = (word: string): RegExp => {
  const whole = /^“(.*)”$/.exec(word)?.[1];
  return new RegExp(`(?<!\\p{L})${whole === undefined ? word : `${whole}(?!\\p{L})`}`, 'iu');
};

describe('the terms used on the page', () => {
  it('are listed in three languages', () => {
    expect(rows?.length).toBeGreaterThan(20);
    for (const cells of rows ?? [])
      for (const word of cells.slice(1, 4)) expect(word, cells.join(' | ')).not.toBe('');
  });

  it.each(languages)('do not include a rejected synonym in %s', (language) => {
    const words = unwanted(language);
    expect(words).not.toEqual([]);
    const found = texts(language).flatMap(([file, text]) =>
      words.filter((word) => pattern(word).test(text)).map((word) => `${file}: ${word}`),
    );
    expect(found).toEqual([]);
  });

  it('capitalise the names of the sides in French', () => {
    const found = texts('fr').flatMap(([file, text]) =>
      [...text.matchAll(/(?<!\p{L})(?:les|aux|des) (?:blancs|noirs)(?!\p{L})/giu)].map(
        ([words]) => `${file}: ${words}`,
      ),
    );
    // The noun with a capital letter is the correct term.
    expect(found.filter((each) => !/(Blancs|Noirs)$/.test(each))).toEqual([]);
  });
});
