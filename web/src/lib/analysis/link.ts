import type { Rules } from '../rules';
import type { Variant } from '../variants';
import { Tree, type TreeNode } from './tree.svelte';

/** An analysis in the fragment of an address. */
export interface Link {
  /** Starting position of the game; null for the standard one. */
  readonly fen: string | null;
  /** In coordinate notation. */
  readonly turns: readonly string[];
  /** The number of these turns that have been played on the board. */
  readonly ply: number;
}

/** Maximum number of turns in a link, more than in any real game; a longer link is truncated. */
const MAX_TURNS = 2_000;

export function writeLink(tree: Tree, initialFen: string): string {
  const fen = tree.initial.view.fen;
  const turns = tree.line.map((node) => node.turn?.text ?? '');
  const parts: string[] = [];
  if (fen !== initialFen) parts.push(`fen=${encodeURIComponent(fen)}`);
  if (turns.length > 0) parts.push(`turns=${turns.join('.')}`, `ply=${tree.current.ply}`);
  return parts.length === 0 ? '' : `#${parts.join('&')}`;
}

/** Parses the fragment of an address; null if it does not contain an analysis. */
export function readLink(hash: string): Link | null {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  if (!parts.has('fen') && !parts.has('turns')) return null;
  const text = parts.get('turns') ?? '';
  const turns = text === '' ? [] : text.split('.').slice(0, MAX_TURNS);
  const ply = Number(parts.get('ply') ?? turns.length);
  const isPly = Number.isInteger(ply) && ply >= 0 && ply <= turns.length;
  return { fen: parts.get('fen'), turns, ply: isPly ? ply : turns.length };
}

/** Builds a tree from a link; throws if the FEN is invalid or a turn is illegal. */
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

/** Returns the node to which a link leads; null if the tree does not contain the link's line. */
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
