import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rulesOver } from '../rules-wasm';
import { PositionHandle, initSync } from '../wasm/adoube_wasm';
import { findLink, readLink, treeOf, writeLink } from './link';
import { numberOf, Tree } from './tree.svelte';
import type { GameView, LineView } from '../analysis-types';

initSync({ module: readFileSync(join(import.meta.dirname, '../wasm/adoube_wasm_bg.wasm')) });
const rules = rulesOver(PositionHandle);
const initialFen = rules.initial('chess').view.fen;

const node = (turn: string, variations: LineView[] = []) => ({
  turn,
  nags: [],
  comments: [],
  variations,
});

/** 1. e4 (1. d4 {two} d5) e5 (1... c5 (1... e6)) 2. Nf3 */
const game: GameView = {
  variant: 'chess',
  fen: initialFen,
  tags: [],
  result: '*',
  main: {
    comments: ['one'],
    nodes: [
      node('e2e4', [{ comments: ['two'], nodes: [node('d2d4'), node('d7d5')] }]),
      node('e7e5', [
        { comments: [], nodes: [node('c7c5')] },
        { comments: [], nodes: [node('e7e6')] },
      ]),
      node('g1f3'),
    ],
  },
};

describe('Tree', () => {
  it('gives back what it was made of', () => {
    expect(Tree.of(rules, game).toView()).toEqual(game.main);
  });

  it('plays a known turn again instead of adding it', () => {
    const tree = Tree.of(rules, game);
    const before = tree.root.children.length;
    expect(tree.add(tree.root, 'd2d4').turn?.san).toBe('d4');
    expect(tree.root.children).toHaveLength(before);
    tree.add(tree.root, 'c2c4');
    expect(tree.root.children).toHaveLength(before + 1);
  });

  it('promotes a line by one, where it is a variation last', () => {
    const tree = Tree.of(rules, game);
    const e6 = tree.at([0, 2]);
    expect(e6.turn?.text).toBe('e7e6');
    expect(e6.isOnMainLine).toBe(false);
    tree.promote(e6);
    expect(tree.indicesOf(e6)).toEqual([0, 1]);
    tree.promote(e6);
    expect(e6.isOnMainLine).toBe(true);
    const d5 = tree.at([1, 0]);
    tree.promote(d5);
    expect(tree.mainLine.map(({ turn }) => turn?.text)).toEqual(['d2d4', 'd7d5']);
  });

  it('takes out a turn with what follows, and steps back from it', () => {
    const tree = Tree.of(rules, game);
    tree.current = tree.at([0, 0, 0]);
    tree.remove(tree.at([0, 0]));
    expect(tree.current).toBe(tree.at([0]));
    expect(tree.line.map(({ turn }) => turn?.text)).toEqual(['e2e4', 'c7c5']);
  });

  it('holds one mark of a turn, and leaves other marks', () => {
    const tree = Tree.of(rules, game);
    const first = tree.at([0]);
    first.nags = [16];
    tree.toggleNag(first, 1);
    tree.toggleNag(first, 4);
    expect(first.nags).toEqual([4, 16]);
    tree.toggleNag(first, 4);
    expect(first.nags).toEqual([16]);
  });

  it('numbers turns as they are counted', () => {
    const tree = Tree.of(rules, game);
    expect([0, 1, 2].map((index) => numberOf(tree.mainLine[index] ?? tree.root))).toEqual([
      '1.',
      '1…',
      '2.',
    ]);
  });
});

describe('links', () => {
  it('keep the position, the line and the place in it', () => {
    const tree = Tree.of(rules, game);
    tree.current = tree.at([0, 0]);
    const hash = writeLink(tree, initialFen);
    expect(hash).toBe('#turns=e2e4.e7e5.g1f3&ply=2');
    const link = readLink(hash);
    if (!link) throw new Error('no link');
    const read = treeOf(rules, 'chess', link);
    expect(read.line.map(({ turn }) => turn?.text)).toEqual(link.turns);
    expect(read.current.ply).toBe(2);
    expect(findLink(tree, link, initialFen)).toBe(tree.at([0, 0]));
    expect(findLink(new Tree(rules.initial('chess')), link, initialFen)).toBeNull();
  });

  it('name another start by its FEN', () => {
    const fen = '4k3/8/8/8/8/8/8/4K2R w K - 0 1';
    const tree = new Tree(rules.fromFen('chess', fen));
    const link = readLink(writeLink(tree, initialFen));
    expect(link).toEqual({ fen, turns: [], ply: 0 });
  });

  it('refuse what cannot be played, and correct a place that is none', () => {
    expect(readLink('')).toBeNull();
    expect(readLink('#ply=3')).toBeNull();
    expect(readLink('#turns=e2e4&ply=99')?.ply).toBe(1);
    expect(() => treeOf(rules, 'chess', { fen: null, turns: ['e2e5'], ply: 1 })).toThrow(
      'turn-illegal',
    );
    expect(() => treeOf(rules, 'chess', { fen: 'x', turns: [], ply: 0 })).toThrow('fen-rank-count');
  });
});
