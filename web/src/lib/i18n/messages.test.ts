import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FluentBundle, FluentResource } from '@fluent/bundle';
import { describe, expect, it } from 'vitest';
import { languages, reference, type Language } from './languages';

const root = join(import.meta.dirname, '../../../..');
const source = join(root, 'web/src');

function filesUnder(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name));
}

const ftlText = (language: Language): string =>
  filesUnder(join(root, 'locales', language), /\.ftl$/)
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

const keysOf = (language: Language): string[] =>
  [...ftlText(language).matchAll(/^([a-z][\w-]*) =/gm)].map(([, key]) => key ?? '').sort();

/** The variables that each message mentions. */
function argumentsOf(language: Language): Map<string, string[]> {
  const messages = ftlText(language).split(/^(?=[a-z][\w-]* =)/m);
  return new Map(
    messages.map((message) => {
      const names = [...message.matchAll(/\$(\w+)/g)].map(([, name]) => name ?? '');
      return [message.split(' ', 1)[0] ?? '', [...new Set(names)].sort()];
    }),
  );
}

/** Keys written out in the source, and the beginnings of those that are put together. */
function keysInSource(): { whole: Set<string>; beginnings: Set<string> } {
  const whole = new Set<string>();
  const beginnings = new Set<string>();
  for (const file of filesUnder(source, /\.(ts|svelte)$/)) {
    if (file.endsWith('.test.ts')) continue;
    const text = readFileSync(file, 'utf8');
    for (const [, key] of text.matchAll(/\b(?:t|text)\(\s*'([a-z][\w-]*)'/g))
      if (key) whole.add(key);
    // Keys chosen by a condition: t('one') on both branches is found above; this finds templates.
    for (const [, start] of text.matchAll(/(?:\bt\(\s*|key = )`([a-z][\w-]*-)\$\{/g))
      if (start) beginnings.add(start);
  }
  // Mails are written by the server, each with a subject and a text.
  const mails = readFileSync(join(root, 'crates/server/src/mail/post.rs'), 'utf8');
  for (const [, kind] of mails.matchAll(/Letter::\w+(?: \{[^}]*\})? => \("([a-z-]+)",/g)) {
    whole.add(`mail-${kind}-subject`).add(`mail-${kind}-text`);
  }
  return { whole, beginnings };
}

describe('messages', () => {
  const known = keysOf(reference);

  it.each(languages)('are the same in %s as in the reference', (language) => {
    expect(keysOf(language)).toEqual(known);
  });

  it('are defined once', () => {
    expect(known).toEqual([...new Set(known)]);
  });

  it.each(languages)('take the same arguments in %s as in the reference', (language) => {
    expect(argumentsOf(language)).toEqual(argumentsOf(reference));
  });

  it.each(languages)('are all read and written in %s without an error', (language) => {
    const bundle = new FluentBundle(language, { useIsolating: false });
    expect(bundle.addResource(new FluentResource(ftlText(language)))).toEqual([]);
    for (const [key, names] of argumentsOf(language)) {
      const pattern = bundle.getMessage(key)?.value;
      if (!pattern) continue;
      const args = Object.fromEntries(names.map((name) => [name, name === 'count' ? 3 : 'x']));
      const errors: Error[] = [];
      expect(bundle.formatPattern(pattern, args, errors), key).not.toBe('');
      expect(errors, key).toEqual([]);
    }
  });

  it('are defined where the source uses them', () => {
    const { whole, beginnings } = keysInSource();
    expect(whole.size).toBeGreaterThan(50);
    expect([...whole].filter((key) => !known.includes(key))).toEqual([]);
    const without = [...beginnings].filter((start) => !known.some((key) => key.startsWith(start)));
    expect(without).toEqual([]);
  });

  it('are all used', () => {
    const { whole, beginnings } = keysInSource();
    const isUsed = (key: string): boolean =>
      whole.has(key) || [...beginnings].some((start) => key.startsWith(start));
    expect(known.filter((key) => !isUsed(key))).toEqual([]);
  });
});

describe('French typography', () => {
  const lines = ftlText('fr')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    // What stands in braces is not printed.
    .map((line) => line.replace(/\{[^{}]*\}|\{[^{}]*->/g, 'x'));

  it('keeps high punctuation and guillemets with their word', () => {
    for (const line of lines) expect(line).not.toMatch(/\S [:;?!»]|« /);
  });

  it('sets a space there', () => {
    for (const line of lines) expect(line).not.toMatch(/[\p{L}»)][;?!]|\p{L}:|«\S/u);
  });

  it('uses the typographic apostrophe', () => {
    for (const line of lines) expect(line).not.toMatch(/\p{L}'\p{L}/u);
  });
});
