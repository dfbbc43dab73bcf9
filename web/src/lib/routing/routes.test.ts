import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressLanguage, splitLanguage } from './address-language.svelte';
import { paths } from './paths';
import { fenFragment, parsePath, pathOf } from './routes';

describe('parsePath', () => {
  it('recognises the pages', () => {
    expect(parsePath('/')).toEqual({ page: 'home' });
    expect(parsePath(pathOf('game', { id: 'aB3dE5gH7jK9' }))).toEqual({
      page: 'game',
      id: 'aB3dE5gH7jK9',
    });
    expect(parsePath(pathOf('invite', { token: 't_o-ken' }))).toEqual({
      page: 'invite',
      token: 't_o-ken',
    });
    expect(parsePath('/hall')).toEqual({ page: 'hall' });
    expect(parsePath('/games/')).toEqual({ page: 'games' });
    expect(parsePath('/rules')).toEqual({ page: 'rules', variant: 'chess' });
    expect(parsePath('/rules/baroque')).toEqual({ page: 'rules', variant: 'baroque' });
    expect(parsePath('/analysis')).toEqual({ page: 'analysis', variant: 'chess' });
    expect(parsePath('/analysis/baroque')).toEqual({ page: 'analysis', variant: 'baroque' });
    expect(parsePath(pathOf('analysis-of-game', { id: 'aB3dE5gH7jK9' }))).toEqual({
      page: 'analysis-of-game',
      id: 'aB3dE5gH7jK9',
    });
    expect(parsePath(pathOf('saved-analyses'))).toEqual({ page: 'saved-analyses' });
    expect(parsePath(pathOf('saved-analysis', { saved: 'aB3dE5gH7jK9' }))).toEqual({
      page: 'saved-analysis',
      saved: 'aB3dE5gH7jK9',
    });
    expect(parsePath('/learn')).toEqual({ page: 'learn', variant: 'chess', drill: null });
    expect(parsePath('/learn/baroque/pawn-one')).toEqual({
      page: 'learn',
      variant: 'baroque',
      drill: 'pawn-one',
    });
    expect(parsePath('/problems/interweave')).toEqual({
      page: 'problems',
      variant: 'interweave',
      problem: null,
    });
    expect(parsePath('/problems/chess/0a1b2c3d')).toEqual({
      page: 'problems',
      variant: 'chess',
      problem: '0a1b2c3d',
    });
    expect(parsePath(pathOf('problems', { variant: 'chess', problem: 'aB3dE5gH7jK9' }))).toEqual({
      page: 'problems',
      variant: 'chess',
      problem: 'aB3dE5gH7jK9',
    });
    expect(parsePath(pathOf('compose', { variant: 'baroque' }))).toEqual({
      page: 'compose',
      variant: 'baroque',
    });
    expect(pathOf('compose', { variant: 'chess' }, fenFragment('8/8 w'))).toBe(
      '/problems/chess/compose#fen=8%2F8%20w',
    );
    expect(parsePath('/recover/t0ken')).toEqual({ page: 'recover', token: 't0ken' });
    expect(parsePath('/confirm/t0ken')).toEqual({
      page: 'mail-link-confirm',
      token: 't0ken',
    });
    expect(parsePath('/mail/stop/t0ken')).toEqual({
      page: 'mail-link-stop',
      token: 't0ken',
    });
    expect(parsePath('/mail/stop')).toEqual({ page: 'not-found' });
    expect(parsePath('/game/aB3dE5gH7jK9/')).toEqual({ page: 'game', id: 'aB3dE5gH7jK9' });
  });

  it('rejects anything else', () => {
    for (const path of [
      '/game',
      '/game/a/b',
      '/games/abc',
      '/game/a%2Fb',
      '/invite/<b>',
      '/hall/x',
      '/rules/draughts',
      '/analysis/draughts',
      '/analysis/game',
      '/analysis/game/a/b',
      '/analysis/saved/a/b',
      '/analysis/saved/<b>',
      '/analysis/chess/a',
      '/learn/draughts',
      '/learn/chess/a/b',
      '/learn/chess/<b>',
      '/rules/chess/x',
    ]) {
      expect(parsePath(path), path).toEqual({ page: 'not-found' });
    }
  });
});

describe('a language in the address', () => {
  it('is not part of the page', () => {
    expect(parsePath('/en/rules/baroque')).toEqual({ page: 'rules', variant: 'baroque' });
    expect(parsePath('/fr/')).toEqual({ page: 'home' });
    expect(parsePath('/es')).toEqual({ page: 'home' });
    expect(parsePath('/de/rules')).toEqual({ page: 'not-found' });
    expect(parsePath('/en/fr/rules')).toEqual({ page: 'not-found' });
    expect(splitLanguage('/en/rules')).toEqual({ language: 'en', path: '/rules' });
    expect(splitLanguage('/es')).toEqual({ language: 'es', path: '/' });
    expect(splitLanguage('/english')).toEqual({ language: null, path: '/english' });
  });

  it('is kept in links on the page', () => {
    addressLanguage.current = 'en';
    expect(pathOf('home')).toBe('/en/');
    expect(pathOf('rules', { variant: 'chess' }, 'C1')).toBe('/en/rules/chess#C1');
    addressLanguage.current = null;
    expect(pathOf('home')).toBe('/');
  });
});

describe('pathOf', () => {
  it('returns the longest path for which all parameters are given', () => {
    expect(pathOf('learn')).toBe('/learn');
    expect(pathOf('learn', { variant: 'baroque', drill: null })).toBe('/learn/baroque');
    expect(pathOf('learn', { variant: 'baroque', drill: 'a' })).toBe('/learn/baroque/a');
    expect(pathOf('home')).toBe('/');
    expect(pathOf('rules', { variant: 'chess' }, 'C1')).toBe('/rules/chess#C1');
    // The type check verifies that the next line is an error.
    // @ts-expect-error: `id` is required
    pathOf('game');
  });

  it('uses paths that parsePath recognises', () => {
    const values = {
      variant: 'baroque',
      id: 'a-B_1',
      saved: 'x',
      token: 't',
      drill: 'd',
      problem: 'p',
      section: 'members',
      text: 'legal',
    };
    for (const [page, [...all]] of Object.entries(paths))
      for (const path of all) {
        const filled = path.replaceAll(
          /\{(\w+)\}/g,
          (_, name: keyof typeof values) => values[name],
        );
        expect(parsePath(filled), path).toMatchObject({ page });
      }
  });
});

it("the server's list of pages is up to date", () => {
  const file = join(import.meta.dirname, '../../../../crates/server/src/pages.rs');
  const all = Object.values(paths).flat();
  const expected = [
    '//! Written by web/src/lib/routing/routes.test.ts. Do not edit.\n\n',
    "/// The paths of the client's pages.\n",
    `pub(crate) const PAGES: [&str; ${all.length}] = [\n`,
    ...all.map((path) => `    "${path}",\n`),
    '];\n',
  ].join('');
  if (readFileSync(file, 'utf8') === expected) return;
  writeFileSync(file, expected);
  expect.fail(`${file} was out of date and has been regenerated`);
});
