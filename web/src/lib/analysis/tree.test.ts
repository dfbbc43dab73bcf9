import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { rulesFrom } from '../rules-wasm';
import { PositionHandle, initSync } from '../wasm/adoube_wasm';
import { findLink, readLink, treeOf, writeLink } from './link';
import { numberOf, Tree } from './tree.svelte';
import type { GameView, LineView } from '../analysis-types';

initSync({ module: readFileSync(join(import.meta.dirname, '../wasm/adoube_wasm_bg.wasm')) });
const rules = rulesFrom(PositionHandle);
const initialFen = rules.initial('chess').view.fen;

const node = (turn: string, variations: LineView[] = []) => ({
  turn,
  nags: [],
  comments: [],
  variations,
});

/** {one} 1. e4 ({two} 1. d4 d5) e5 (1... c5) (1... e6) 2. Nf3 */
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
  it('exports the game that it was built from', () => {
    expect(Tree.of(rules, game).toView()).toEqual(game.main);
  });

  it('reuses an existing turn', () => {
    const tree = Tree.of(rules, game);
    const before = tree.root.children.length;
    expect(tree.add(tree.root, 'd2d4').turn?.san).toBe('d4');
    expect(tree.root.children).toHaveLength(before);
    tree.add(tree.root, 'c2c4');
    expect(tree.root.children).toHaveLength(before + 1);
  });

  it('promotes a line by one level, at its last branch', () => {
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

  it('removes a turn with its continuation, and goes back to the turn before it', () => {
    const tree = Tree.of(rules, game);
    tree.current = tree.at([0, 0, 0]);
    tree.remove(tree.at([0, 0]));
    expect(tree.current).toBe(tree.at([0]));
    expect(tree.line.map(({ turn }) => turn?.text)).toEqual(['e2e4', 'c7c5']);
  });

  it("replaces a turn's mark, and leaves other marks unchanged", () => {
    const tree = Tree.of(rules, game);
    const first = tree.at([0]);
    first.nags = [16];
    tree.toggleNag(first, 1);
    tree.toggleNag(first, 4);
    expect(first.nags).toEqual([4, 16]);
    tree.toggleNag(first, 4);
    expect(first.nags).toEqual([16]);
  });

  it('gives both turns of a move the same number', () => {
    const tree = Tree.of(rules, game);
    expect([0, 1, 2].map((index) => numberOf(tree.mainLine[index] ?? tree.root))).toEqual([
      '1.',
      '1…',
      '2.',
    ]);
  });
});

/** Builds a node with a turn, a comment and variations. */
function commented(
  turn: string,
  comment: string,
  ...variations: LineView[]
): LineView['nodes'][number] {
  return { turn, nags: [], comments: comment === '' ? [] : [comment], variations };
}
const lineOf = (...nodes: LineView['nodes']): LineView => ({ comments: [], nodes });
const imported = (main: LineView): Tree => Tree.of(rules, { ...game, main });

/** Formats a line as in a PGN, but without move numbers. */
function textOf({ comments, nodes }: LineView): string {
  const words = comments.map((comment) => `{${comment}}`);
  for (const each of nodes) {
    words.push(each.turn, ...each.nags.map((nag) => `$${nag}`));
    words.push(...each.comments.map((comment) => `{${comment}}`));
    words.push(...each.variations.map((line) => `(${textOf(line)})`));
  }
  return words.join(' ');
}

describe('variations that begin with an existing turn', () => {
  it.each([
    [
      'do not extend the main line',
      lineOf(node('d2d4'), node('d7d5'), node('c2c4', [lineOf(node('c2c4'), node('e7e6'))])),
      'd2d4 d7d5 c2c4 (c2c4 e7e6)',
    ],
    [
      'do not replace the main line or its comments',
      lineOf(
        {
          ...commented('e2e4', 'good', lineOf(node('e2e4'), node('e7e5'), node('g1f3'))),
          nags: [1],
        },
        commented('c7c5', 'Sicilian'),
        node('g1f3'),
      ),
      'e2e4 $1 {good} c7c5 {Sicilian} (e7e5 g1f3) g1f3',
    ],
    [
      'are merged',
      lineOf(
        node('d2d4'),
        node('d7d5', [
          lineOf(commented('f7f5', 'first'), node('g2g3')),
          lineOf(commented('f7f5', 'second'), node('c2c4')),
        ]),
        node('c2c4'),
      ),
      'd2d4 d7d5 (f7f5 {first second} g2g3 (c2c4)) c2c4',
    ],
    [
      'add their comments and marks',
      lineOf(
        node('e2e4'),
        node('e7e5'),
        commented(
          'g1f3',
          'x',
          lineOf({ ...commented('g1f3', 'y'), nags: [3] }, node('b8c6'), node('f1c4')),
        ),
        node('b8c6'),
        node('f1b5'),
      ),
      'e2e4 e7e5 g1f3 $3 {x y} b8c6 f1b5 (f1c4)',
    ],
    [
      'may consist of only a comment',
      lineOf(node('e2e4'), node('e7e5', [{ comments: ['only words'], nodes: [] }]), node('g1f3')),
      'e2e4 e7e5 {only words} g1f3',
    ],
    [
      'keep the comments before them',
      lineOf(
        node('e2e4', [{ comments: ['before'], nodes: [node('e2e4'), node('c7c5')] }]),
        node('e7e5', [{ comments: ['also'], nodes: [node('c7c5'), node('g1f3')] }]),
      ),
      'e2e4 {before} e7e5 ({also} c7c5 g1f3)',
    ],
  ])('%s', (_, main, expected) => {
    const tree = imported(main);
    expect(textOf(tree.toView())).toBe(expected);
    expect(imported(tree.toView()).toView()).toEqual(tree.toView());
  });

  it('never change the main line or lose a comment or mark', () => {
    let seed = 1;
    const below = (bound: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % bound;
    };
    let words = 0;
    // Choose between only two turns, so that variations often overlap.
    function grow(from: Tree['root']['position'], depth: number): LineView {
      const nodes: LineView['nodes'] = [];
      let position = from;
      for (let length = below(5) + (depth === 0 ? 2 : 0); length > 0; length -= 1) {
        const steps = position.view.steps.map(({ text }) => text).sort();
        const turn = steps[below(Math.min(2, steps.length))];
        if (turn === undefined) break;
        const before = position;
        const variations = depth < 3 ? [...Array(below(4))].map(() => grow(before, depth + 1)) : [];
        const comments = below(2) === 0 ? [`w${(words += 1)}`] : [];
        nodes.push({ turn, nags: below(2) === 0 ? [below(20) + 1] : [], comments, variations });
        position = position.playTurn(turn);
      }
      return { comments: below(2) === 0 && depth > 0 ? [`w${(words += 1)}`] : [], nodes };
    }
    for (let round = 0; round < 40; round += 1) {
      const main = grow(rules.initial('chess'), 0);
      const tree = imported(main);
      expect(tree.mainLine.map(({ turn }) => turn?.text)).toEqual(
        main.nodes.map(({ turn }) => turn),
      );
      const exported = tree.toView();
      const wordsOf = (line: LineView): string[] => textOf(line).match(/w\d+/g)?.sort() ?? [];
      expect(wordsOf(exported)).toEqual(wordsOf(main));
      const marksOf = (line: LineView): Set<string> => new Set(textOf(line).match(/\$\d+/g));
      expect(marksOf(exported)).toEqual(marksOf(main));
      main.nodes.forEach(({ nags }, index) => {
        expect(exported.nodes[index]?.nags).toEqual(expect.arrayContaining(nags));
      });
      expect(imported(exported).toView()).toEqual(exported);
    }
  });
});

describe('links', () => {
  it('keep the position, the line and the current ply', () => {
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

  it('include the FEN of a non-standard starting position', () => {
    const fen = '4k3/8/8/8/8/8/8/4K2R w K - 0 1';
    const tree = new Tree(rules.fromFen('chess', fen));
    const link = readLink(writeLink(tree, initialFen));
    expect(link).toEqual({ fen, turns: [], ply: 0 });
  });

  it('reject illegal turns, and correct an invalid ply', () => {
    expect(readLink('')).toBeNull();
    expect(readLink('#ply=3')).toBeNull();
    expect(readLink('#turns=e2e4&ply=99')?.ply).toBe(1);
    expect(() => treeOf(rules, 'chess', { fen: null, turns: ['e2e5'], ply: 1 })).toThrow(
      'turn-illegal',
    );
    expect(() => treeOf(rules, 'chess', { fen: 'x', turns: [], ply: 0 })).toThrow('fen-rank-count');
  });
});
