import type { Rules } from '../rules';
import type { Variant } from '../variants';
import { Tree, type TreeNode } from './tree.svelte';

/** The analysis in the fragment of an address. */
export interface Link {
  /** Where the game begins; null for the usual start. */
  readonly fen: string | null;
  /** In coordinate text. */
  readonly turns: readonly string[];
  /** How many of them are played on the board. */
  readonly ply: number;
}

/** No game that was ever played is longer; a longer link is cut. */
const MOST_TURNS = 2_000;

export function writeLink(tree: Tree, initialFen: string): string {
  const fen = tree.initial.view.fen;
  const turns = tree.line.map((node) => node.turn?.text ?? '');
  const parts: string[] = [];
  if (fen !== initialFen) parts.push(`fen=${encodeURIComponent(fen)}`);
  if (turns.length > 0) parts.push(`turns=${turns.join('.')}`, `ply=${tree.current.ply}`);
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
}

/** Reads the fragment of a link; null if it has no analysis. */
export function readLink(hash: string): Link | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  if (!parts.has('fen') && !parts.has('turns')) return null;
  const text = parts.get('turns') ?? '';
  const turns = text === '' ? [] : text.split('.').slice(0, MOST_TURNS);
  const ply = Number(parts.get('ply') ?? turns.length);
  const isPly = Number.isInteger(ply) && ply >= 0 && ply <= turns.length;
  return { fen: parts.get('fen'), turns, ply: isPly ? ply : turns.length };
}

/** The tree of a link; refuses a FEN or a turn that cannot be. */
export function treeOf(rules: Rules, variant: Variant, link: Link): Tree {
  const initial =
    link.fen === null
      ? rules.initial(variant)
      : rules.fromFen(variant, rules.readFen(variant, link.fen).fen);
  const tree = new Tree(initial);
  const end = tree.addLine(tree.root, link.turns);
  tree.current = end.path[link.ply - 1] ?? tree.root;
  tree.changes = 0;
  return tree;
}

/** The node of a link in a tree that holds its line already; null where it does not. */
export function findLink(tree: Tree, link: Link, initialFen: string): TreeNode | null {
  if (tree.initial.view.fen !== (link.fen ?? initialFen)) return null;
  let [node, found]: [TreeNode, TreeNode] = [tree.root, tree.root];
  for (const turn of link.turns) {
    const next = node.children.find((child) => child.turn?.text === turn);
    if (!next) return null;
    node = next;
    if (node.ply <= link.ply) found = node;
  }
  return found;
}
