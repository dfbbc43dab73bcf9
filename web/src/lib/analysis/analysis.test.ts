import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { rulesFrom } from '../rules-wasm';
import { PositionHandle, initSync } from '../wasm/adoube_wasm';
import { Analysis } from './analysis.svelte';
import { readDraft } from './draft';

initSync({ module: readFileSync(join(import.meta.dirname, '../wasm/adoube_wasm_bg.wasm')) });
const rules = rulesFrom(PositionHandle);

function newAnalysis(hash = ''): Analysis {
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
  it('is restored as it was left', () => {
    const first = newAnalysis();
    first.playTurn('e2e4');
    first.playTurn('e7e5');
    first.goTo(first.tree.at([0]));
    first.playTurn('c7c5');
    first.tree.setComment(first.current, 'sharp');
    first.store();
    const second = newAnalysis(first.link);
    expect(sans(second)).toEqual(['e4', 'e5']);
    expect(second.current.turn?.san).toBe('c5');
    expect(second.current.comment).toBe('sharp');
    expect(newAnalysis().current.turn?.san).toBe('c5');
  });

  it('keeps the previous analysis when a link opens another one', () => {
    const first = newAnalysis();
    first.playTurn('e2e4');
    first.store();
    const second = newAnalysis('#turns=d2d4&ply=1');
    expect(sans(second)).toEqual(['d4']);
    expect(second.hasPrevious).toBe(true);
    second.swap();
    expect(sans(second)).toEqual(['e4']);
    second.swap();
    expect(sans(second)).toEqual(['d4']);
  });

  it('starts from a game on this site and is restored later', () => {
    const view = newAnalysis('#turns=g1f3.g8f6&ply=0').game;
    const draft = newAnalysis();
    draft.playTurn('a2a3');
    draft.store();
    const first = new Analysis(rules, 'chess');
    first.begin('', { id: 'game', view });
    expect(sans(first)).toEqual(['Nf3', 'Nf6']);
    expect(readDraft('chess', 'before')?.game.main.nodes[0]?.turn).toBe('a2a3');
    first.playTurn('b2b3');
    first.store();
    const second = new Analysis(rules, 'chess');
    second.begin('', { id: 'game', view });
    expect(second.tree.root.children.map(({ turn }) => turn?.san)).toEqual(['Nf3', 'b3']);
  });

  it('keeps the draft as the previous analysis if the game does not contain the linked line', () => {
    const view = newAnalysis('#turns=g1f3.g8f6&ply=0').game;
    const draft = newAnalysis();
    draft.playTurn('a2a3');
    draft.store();
    const opened = new Analysis(rules, 'chess');
    opened.begin('#turns=h2h4&ply=1', { id: 'game', view });
    expect(sans(opened)).toEqual(['h4']);
    opened.swap();
    expect(sans(opened)).toEqual(['a3']);
  });

  it('does not replace the previous analysis with an empty draft', () => {
    const earlier = newAnalysis();
    earlier.playTurn('a2a3');
    earlier.openFen('4k3/8/8/8/8/8/8/4K3 w - - 0 1');
    expect(readDraft('chess', 'before')?.game.main.nodes[0]?.turn).toBe('a2a3');
    new Analysis(rules, 'chess').store();
    const { game } = newAnalysis('#turns=g1f3&ply=0');
    const opened = new Analysis(rules, 'chess');
    opened.begin('', { id: 'game', view: game });
    expect(readDraft('chess', 'before')?.game.main.nodes[0]?.turn).toBe('a2a3');
  });

  it('rejects a link with an illegal turn and stays unchanged', () => {
    const first = newAnalysis();
    first.playTurn('e2e4');
    first.store();
    const second = new Analysis(rules, 'chess');
    expect(() => second.begin('#turns=e2e5&ply=1')).toThrow('turn-illegal');
    expect(sans(second)).toEqual(['e4']);
  });

  it('discards an invalid draft', () => {
    for (const text of ['', '{', '{"game":{"variant":"chess","main":1,"fen":"x"},"at":[]}']) {
      localStorage.setItem('adoube.analysis.chess', text);
      expect(sans(newAnalysis()), text).toEqual([]);
    }
  });

  it('no longer offers the previous analysis if it is invalid', () => {
    const text = '{"game":{"variant":"chess","main":1,"fen":"x"},"at":[]}';
    localStorage.setItem('adoube.analysis.chess.before', text);
    const analysis = newAnalysis('#turns=d2d4&ply=1');
    expect(analysis.hasPrevious).toBe(true);
    analysis.swap();
    expect([sans(analysis), analysis.hasPrevious]).toEqual([['d4'], false]);
  });

  it('opens the game if its draft is invalid', () => {
    const view = newAnalysis('#turns=g1f3.g8f6&ply=0').game;
    const first = new Analysis(rules, 'chess');
    first.begin('', { id: 'game', view });
    first.store();
    const text = localStorage.getItem('adoube.analysis.chess') ?? '';
    localStorage.setItem('adoube.analysis.chess', text.replace('"g1f3"', '"g1g5"'));
    expect(readDraft('chess')?.of).toBe('game');
    const second = new Analysis(rules, 'chess');
    second.begin('', { id: 'game', view });
    expect([sans(second), second.of]).toEqual([['Nf3', 'Nf6'], 'game']);
  });

  it('plays an Interweave turn step by step', () => {
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

describe('a saved analysis', () => {
  const stored = { id: 'aB3dE5gH7jK9', name: 'French', version: 4 };
  const view = () => {
    const french = new Analysis(rules, 'chess');
    for (const turn of ['e2e4', 'e7e6']) french.playTurn(turn);
    return french.game;
  };

  function opened(version = stored.version): Analysis {
    const analysis = new Analysis(rules, 'chess');
    analysis.begin('', null, { saved: { ...stored, version }, view: view() });
    return analysis;
  }

  it('tracks unsaved changes', () => {
    const analysis = opened();
    expect([sans(analysis), analysis.isChanged]).toEqual([['e4', 'e6'], false]);
    const { changes } = analysis.tree;
    analysis.playTurn('d2d4');
    expect(analysis.isChanged).toBe(true);
    // A turn was played while the analysis was being saved.
    analysis.markSaved({ ...stored, version: 5 }, changes);
    expect([analysis.saved?.version, analysis.isChanged]).toEqual([5, true]);
    analysis.markSaved({ ...stored, version: 6 }, analysis.tree.changes);
    expect(analysis.isChanged).toBe(false);
  });

  it('restores unsaved changes after a reload and detects a newer version', () => {
    const first = opened();
    first.goTo(first.tree.root.end);
    first.playTurn('d2d4');
    first.store();
    const same = opened();
    expect([sans(same), same.isChanged, same.newer]).toEqual([['e4', 'e6', 'd4'], true, null]);
    const other = opened(5);
    expect([sans(other), other.saved?.version, other.newer]).toEqual([['e4', 'e6', 'd4'], 4, 5]);
    // The account's version can be opened, and the local one restored afterwards.
    other.openSaved({ ...stored, version: 5 }, view());
    expect([sans(other), other.isChanged, other.newer]).toEqual([['e4', 'e6'], false, null]);
    other.swap();
    expect([sans(other), other.saved?.version, other.isChanged]).toEqual([
      ['e4', 'e6', 'd4'],
      4,
      true,
    ]);
  });

  it('is opened from the account if unchanged, keeping the draft of another analysis', () => {
    const other = newAnalysis();
    other.playTurn('g1f3');
    other.store();
    const first = opened();
    expect([sans(first), first.hasPrevious]).toEqual([['e4', 'e6'], true]);
    first.store();
    const again = opened(5);
    expect([again.saved?.version, again.newer]).toEqual([5, null]);
    again.swap();
    expect([sans(again), again.saved]).toEqual([['Nf3'], null]);
  });

  it('is detached once another game is opened', () => {
    const analysis = opened();
    analysis.openFen('4k3/8/8/8/8/8/8/4K2R w K - 0 1');
    expect([analysis.saved, analysis.isChanged]).toEqual([null, false]);
  });

  it("discards an invalid reference to the account's copy", () => {
    const analysis = opened();
    analysis.store();
    const text = localStorage.getItem('adoube.analysis.chess') ?? '';
    for (const saved of ['1', '{"id":1}', '{"id":"a","name":"b","version":"c"}']) {
      const broken = text.replace(/"saved":\{[^}]*\}/, `"saved":${saved}`);
      expect(broken).toContain(`"saved":${saved}`);
      localStorage.setItem('adoube.analysis.chess', broken);
      expect([readDraft('chess')?.saved, newAnalysis().saved], saved).toEqual([null, null]);
    }
  });
});
