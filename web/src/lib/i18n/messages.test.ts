import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FluentBundle, FluentResource } from '@fluent/bundle';
import { describe, expect, it } from 'vitest';
import { games } from '../games';
import { languages, reference, type Language } from './languages';

const root = join(import.meta.dirname, '../../../..');
const source = join(root, 'web/src');
const declared = join(import.meta.dirname, 'messages.ts');

function filesUnder(folder: string, pattern: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name));
}

/** Returns a language's messages for the site and the games, without files that match `except`. */
const ftlText = (language: Language, except?: RegExp): string =>
  [
    ...filesUnder(join(root, 'locales', language), /\.ftl$/),
    ...filesUnder(join(root, 'games'), new RegExp(`\\.${language}\\.ftl$`)),
  ]
    .filter((file) => !except?.test(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');

/** Matches the message files that only the server uses; the page does not fetch them. */
const serverOnly = /(?:^|\/)(?:document|mail)\.ftl$/;

const parse = (text: string): FluentResource['body'] => new FluentResource(text).body;

const keysOf = (language: Language): string[] =>
  parse(ftlText(language))
    .map(({ id }) => id)
    .sort();

type Pattern = NonNullable<FluentResource['body'][number]['value']>;

/** Collects the variables of a pattern and of the messages that it refers to. */
function addVariables(
  pattern: Pattern | null,
  patterns: ReadonlyMap<string, Pattern | null>,
  names: Set<string>,
): void {
  if (pattern === null || typeof pattern === 'string') return;
  for (const element of pattern) {
    if (typeof element === 'string') continue;
    if (element.type === 'var') names.add(element.name);
    else if (element.type === 'mesg')
      addVariables(patterns.get(element.name) ?? null, patterns, names);
    else if (element.type === 'select') {
      addVariables([element.selector], patterns, names);
      for (const { value } of element.variants) addVariables(value, patterns, names);
    } else if (element.type === 'func') {
      for (const argument of element.args)
        if (argument.type !== 'narg') addVariables([argument], patterns, names);
    }
  }
}

/** Returns the variables of each message. */
function argumentsIn(text: string): Map<string, string[]> {
  const messages = parse(text);
  const patterns = new Map(messages.map(({ id, value }) => [id, value]));
  return new Map(
    messages.map(({ id, value }) => {
      const names = new Set<string>();
      addVariables(value, patterns, names);
      return [id, [...names].sort()];
    }),
  );
}

const argumentsOf = (language: Language): Map<string, string[]> => argumentsIn(ftlText(language));

/** Returns the TypeScript declarations of the page's messages. */
function declarations(): string {
  const lines = [...argumentsIn(ftlText(reference, serverOnly))]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, names]) => {
      const union = names.length === 0 ? 'never' : names.map((name) => `'${name}'`).join(' | ');
      return `  '${key}': ${union};\n`;
    });
  return [
    '// Written by messages.test.ts. Do not edit.\n\n',
    '/** The messages of the page, each with the names of its arguments. */\n',
    `export interface Messages {\n${lines.join('')}}\n`,
  ].join('');
}

/**
 * Collects the keys in the source code: literal ones, and patterns for those built from templates.
 */
function keysInSource(): { literals: Set<string>; patterns: RegExp[] } {
  const literals = new Set<string>();
  const patterns = new Map<string, RegExp>();
  for (const file of filesUnder(source, /\.(ts|svelte)$/)) {
    if (file.endsWith('.test.ts') || file === declared) continue;
    const text = readFileSync(file, 'utf8');
    for (const [, key] of text.matchAll(/\bt\(\s*'([a-z][\w-]*)'/g)) if (key) literals.add(key);
    // A key may be stored before it is used. Single words are skipped, because most of them are not
    // keys.
    for (const [, key] of text.matchAll(/'([a-z]\w*-[\w-]*)'/g)) if (key) literals.add(key);
    for (const [, template] of text.matchAll(/`([a-z][\w-]*-\$\{[^`\s]*)`/g))
      if (template) patterns.set(template, patternOf(template));
  }
  // E-mails are written by the server; each has a subject and a body.
  const mails = readFileSync(join(root, 'crates/server/src/mail/sender.rs'), 'utf8');
  for (const [, kind] of mails.matchAll(/EmailContent::\w+(?: \{[^}]*\})? => \("([a-z-]+)",/g)) {
    literals.add(`mail-${kind}-subject`).add(`mail-${kind}-text`);
  }
  const mailsWithoutTemplates = mails.replaceAll(/"mail-\{key\}-(?:subject|text)"/g, '');
  const notifications = readFileSync(join(root, 'crates/server/src/push/text.rs'), 'utf8');
  // The server also writes the notifications and the documents; the documents use the page's
  // messages too.
  const documents = filesUnder(join(root, 'crates/pages/src'), /\.rs$/);
  for (const text of [
    mailsWithoutTemplates,
    notifications,
    ...documents.map((file) => readFileSync(file, 'utf8')),
  ]) {
    for (const [, key] of text.matchAll(/"([a-z]\w*-[\w-]*)"/g)) if (key) literals.add(key);
    for (const [, template] of text.matchAll(/"([a-z][\w-]*-\{[^"\s]*)"/g))
      if (template) patterns.set(template, patternOf(template.replaceAll('{', '${')));
  }
  return { literals, patterns: [...patterns.values()] };
}

/**
 * Returns a pattern for the keys that a template such as `drill-${variant}-${name}-title` can
 * build.
 */
const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll(/\$\{[^}]*\}/g, String.raw`[\w-]+`)}$`);

describe('messages', () => {
  const known = keysOf(reference);

  it.each(languages)('have the same keys in %s as in the reference', (language) => {
    expect(keysOf(language)).toEqual(known);
  });

  it('are defined once', () => {
    expect(known).toEqual([...new Set(known)]);
  });

  it.each(languages)('take the same arguments in %s as in the reference', (language) => {
    expect(argumentsOf(language)).toEqual(argumentsOf(reference));
  });

  it.each(languages)('can all be parsed and formatted in %s', (language) => {
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

  it('are declared with their arguments', () => {
    const expected = declarations();
    if (readFileSync(declared, 'utf8') === expected) return;
    writeFileSync(declared, expected);
    expect.fail(`${declared} was out of date and has been regenerated`);
  });

  it('are all used', () => {
    const { literals, patterns } = keysInSource();
    expect(literals.size).toBeGreaterThan(500);
    const isUsed = (key: string): boolean =>
      literals.has(key) || patterns.some((pattern) => pattern.test(key));
    expect(known.filter((key) => !isUsed(key))).toEqual([]);
  });

  it('exist for every game and role, and for no others', () => {
    const { literals } = keysInSource();
    const roles = new Set(Object.values(games).flatMap((game) => Object.keys(game.roles)));
    const men = Object.entries(games).flatMap(([variant, { roles: own }]) =>
      Object.keys(own).map((role) => `${variant}-${role}`),
    );
    const families = {
      variant: Object.keys(games),
      about: Object.keys(games),
      diagram: Object.keys(games),
      'draws-club': Object.keys(games),
      'draws-fide': Object.keys(games),
      piece: [...roles],
      letter: [...roles],
      the: [...roles],
      goes: men,
      captures: men,
      clause: men,
    };
    for (const [family, names] of Object.entries(families)) {
      const found = known.filter((key) => key.startsWith(`${family}-`));
      // Other messages may begin with the same word.
      expect(found.filter((key) => !literals.has(key))).toEqual(
        names.map((name) => `${family}-${name}`).sort(),
      );
    }
  });
});

describe('the clause given for each piece', () => {
  it.each(languages)('exists in the rules in %s', (language) => {
    const bundle = new FluentBundle(language);
    bundle.addResource(new FluentResource(ftlText(language)));
    for (const [variant, { roles }] of Object.entries(games)) {
      const page = readFileSync(join(root, 'games', variant, `rules.${language}.md`), 'utf8');
      for (const role of Object.keys(roles)) {
        const clause = bundle.getMessage(`clause-${variant}-${role}`)?.value;
        expect(page, `${variant} ${role}`).toContain(`{${String(clause)}}`);
      }
    }
  });
});

describe('French typography', () => {
  const lines = ftlText('fr')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    // Expressions in braces are not displayed.
    .map((line) => line.replace(/\{[^{}]*\}|\{[^{}]*->/g, 'x'));

  it('never breaks a line before a colon, semicolon, “?” or “!”, or inside guillemets', () => {
    for (const line of lines) expect(line).not.toMatch(/\S [:;?!»]|« /);
  });

  it('puts a space before a colon, semicolon, “?” or “!”, and inside guillemets', () => {
    for (const line of lines) expect(line).not.toMatch(/[\p{L}»)][;?!]|\p{L}:|«\S|\S»/u);
  });

  it('keeps a number and its unit together', () => {
    for (const line of lines) expect(line).not.toMatch(/[x\d] (?:s|min|h|j|%)(?![\p{L}’])/u);
  });

  it('uses the typographic apostrophe', () => {
    for (const line of lines) expect(line).not.toMatch(/\p{L}'\p{L}/u);
  });
});
