import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { rulesOver } from '../rules-wasm';
import { PositionHandle, initSync } from '../wasm/adoube_wasm';
import { Analysis } from './analysis.svelte';
import { readDraft } from './draft';

initSync({ module: readFileSync(join(import.meta.dirname, '../wasm/adoube_wasm_bg.wasm')) });
const rules = rulesOver(PositionHandle);

function begun(hash = ''): Analysis {
  const analysis = new Analysis(rules, 'chess');
  analysis.begin(hash);
  return analysis;
}

const sans = (analysis: Analysis): (string | undefined)[] =>
  analysis.tree.mainLine.map(({ turn }) => turn?.san);

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
  });
});

describe('Analysis', () => {
  it('goes on where it was left', () => {
    const first = begun();
    first.playTurn('e2e4');
    first.playTurn('e7e5');
    first.goTo(first.tree.at([0]));
    first.playTurn('c7c5');
    first.tree.say(first.current, 'sharp');
    first.keep();
    const second = begun(first.link);
    expect(sans(second)).toEqual(['e4', 'e5']);
    expect(second.current.turn?.san).toBe('c5');
    expect(second.current.comment).toBe('sharp');
    expect(begun().current.turn?.san).toBe('c5');
  });

  it('keeps what a link to something else takes the place of', () => {
    const first = begun();
    first.playTurn('e2e4');
    first.keep();
    const second = begun('#turns=d2d4&ply=1');
    expect(sans(second)).toEqual(['d4']);
    expect(second.hasPrevious).toBe(true);
    second.swap();
    expect(sans(second)).toEqual(['e4']);
    second.swap();
    expect(sans(second)).toEqual(['d4']);
  });

  it('begins with a game of the site, and goes on with it later', () => {
    const view = begun('#turns=g1f3.g8f6&ply=0').game;
    const own = begun();
    own.playTurn('a2a3');
    own.keep();
    const first = new Analysis(rules, 'chess');
    first.begin('', { id: 'game', view });
    expect(sans(first)).toEqual(['Nf3', 'Nf6']);
    expect(readDraft('chess', 'before')?.game.main.nodes[0]?.turn).toBe('a2a3');
    first.playTurn('b2b3');
    first.keep();
    const second = new Analysis(rules, 'chess');
    second.begin('', { id: 'game', view });
    expect(second.tree.root.children.map(({ turn }) => turn?.san)).toEqual(['Nf3', 'b3']);
  });

  it('refuses a link that cannot be played, and stays what it was', () => {
    const first = begun();
    first.playTurn('e2e4');
    first.keep();
    const second = new Analysis(rules, 'chess');
    expect(() => second.begin('#turns=e2e5&ply=1')).toThrow('turn-illegal');
    expect(sans(second)).toEqual(['e4']);
  });

  it('forgets a draft that makes no sense', () => {
    for (const text of ['', '{', '{"game":{"variant":"chess","main":1,"fen":"x"},"at":[]}']) {
      localStorage.setItem('adoube.analysis.chess', text);
      expect(sans(begun()), text).toEqual([]);
    }
  });

  it('plays a turn of Interweave step by step', () => {
    const analysis = new Analysis(rules, 'interweave');
    analysis.openFen('6kk/8/8/8/8/1r6/r7/N5KK[] w - - 0 1');
    expect(analysis.play('a1a3')).toBeNull();
    expect(analysis.chain.map(({ to }) => to)).toEqual(['a3']);
    analysis.undoStep();
    expect(analysis.shown).toBe(analysis.current.position);
    analysis.play('a1a3');
    expect(analysis.play('a3e3')?.turn?.text).toBe('a1a3e3');
    expect(analysis.chain).toEqual([]);
  });
});
