import type { GameView, LineView, NodeView } from '../analysis-types';
import type { PlayedTurn } from '../game/record';
import type { Position, Rules } from '../rules';
import { isVariant, type Variant } from '../variants';

/** A position in the tree, with the turn that led to it and the annotations of that turn. */
export class TreeNode {
  readonly parent: TreeNode | null;
  /** Number of turns from the root. */
  readonly ply: number;
  /** Move number of the turn; at the root, the move number of the next turn. */
  readonly number: number;
  /** Null at the root. */
  readonly turn: PlayedTurn | null;
  readonly position: Position;
  /** Turns played from here: the first continues the line, the others start variations. */
  children: readonly TreeNode[] = $state.raw([]);
  /** Numbers of the turn's marks (NAGs): 1 is `!`, 2 is `?` … */
  nags: readonly number[] = $state.raw([]);
  /** Comment after the turn; at the root, before the first turn. */
  comment = $state('');
  /** Comment before the turn, if it starts a variation. */
  before = $state('');

  constructor(parent: TreeNode | null, position: Position, turn: PlayedTurn | null) {
    this.parent = parent;
    this.ply = parent === null ? 0 : parent.ply + 1;
    if (parent === null) this.number = Number(position.view.fen.split(' ').at(-1)) || 1;
    else this.number = parent.number + (parent.turn?.color === 'black' ? 1 : 0);
    this.position = position;
    this.turn = turn;
  }

  /** The nodes on the path from the root to this one, without the root. */
  get path(): readonly TreeNode[] {
    return pathOf(this);
  }

  /** The last node of the line that continues from here. */
  get end(): TreeNode {
    return endOf(this);
  }

  get isOnMainLine(): boolean {
    return this.path.every((node) => node.parent?.children[0] === node);
  }
}

function pathOf(to: TreeNode): TreeNode[] {
  const path: TreeNode[] = [];
  for (let node = to; node.parent !== null; node = node.parent) path.push(node);
  return path.reverse();
}

function endOf(from: TreeNode): TreeNode {
  let node = from;
  for (let next = node.children[0]; next; next = node.children[0]) node = next;
  return node;
}

/** A game with variations and the current node. */
export class Tree {
  readonly root: TreeNode;
  current: TreeNode = $state.raw() as TreeNode;
  /** Number of changes so far; used to detect unsaved changes. */
  changes = $state(0);

  constructor(readonly initial: Position) {
    this.root = new TreeNode(null, initial, null);
    this.current = this.root;
  }

  get variant(): Variant {
    return this.initial.variant;
  }

  /** The current line to its end, without the root. */
  get line(): readonly TreeNode[] {
    return this.current.end.path;
  }

  /** The main line without the root. */
  get mainLine(): readonly TreeNode[] {
    return this.root.end.path;
  }

  /** Returns the child for a turn. Adds it as the last variation if there is none. */
  add(from: TreeNode, turn: string): TreeNode {
    const known = from.children.find((child) => child.turn?.text === turn);
    return known ?? this.append(from, turn);
  }

  /** Adds a child for a turn as the last variation, even if there is already one. */
  append(from: TreeNode, turn: string): TreeNode {
    const after = from.position.playTurn(turn);
    const node = new TreeNode(from, after, { ...from.position.describe(turn), after });
    from.children = [...from.children, node];
    this.changes += 1;
    return node;
  }

  /** Plays a sequence of turns and returns the last node. */
  addLine(from: TreeNode, turns: readonly string[]): TreeNode {
    return turns.reduce((node, turn) => this.add(node, turn), from);
  }

  /** Promotes a node's line by one level, at the last place where it is a variation. */
  promote(node: TreeNode): void {
    const path = [...node.path].reverse();
    const first = path.find((each) => each.parent?.children[0] !== each);
    const siblings = first?.parent?.children;
    if (!first?.parent || !siblings) return;
    const others = siblings.filter((each) => each !== first);
    others.splice(siblings.indexOf(first) - 1, 0, first);
    first.parent.children = others;
    this.changes += 1;
  }

  /** Removes a turn and everything after it. */
  remove(node: TreeNode): void {
    const { parent } = node;
    if (parent === null) return;
    parent.children = parent.children.filter((child) => child !== node);
    if (this.current.path.includes(node)) this.current = parent;
    this.changes += 1;
  }

  /** Adds or removes a mark. Of the marks for turns (1 to 6) only one can be set. */
  toggleNag(node: TreeNode, nag: number): void {
    const others = node.nags.filter((each) => each !== nag && each > 6);
    node.nags = node.nags.includes(nag)
      ? node.nags.filter((each) => each !== nag)
      : [nag, ...others];
    this.changes += 1;
  }

  setComment(node: TreeNode, comment: string): void {
    node.comment = comment;
    this.changes += 1;
  }

  /** Returns the node at a path of child indices, or the last one that exists on it. */
  at(indices: readonly number[]): TreeNode {
    let node = this.root;
    for (const index of indices) {
      const child = node.children[index];
      if (!child) break;
      node = child;
    }
    return node;
  }

  /** Returns the path of child indices for `at`. */
  indicesOf(node: TreeNode): number[] {
    return node.path.map((each) => each.parent?.children.indexOf(each) ?? 0);
  }

  toView(): LineView {
    const comments = this.root.comment === '' ? [] : [this.root.comment];
    return { comments, nodes: lineOf(this.root) };
  }

  /** Builds a tree from a PGN game; throws if a turn is illegal. */
  static of(rules: Rules, game: GameView): Tree {
    if (!isVariant(game.variant)) throw new TypeError(`unknown game ${game.variant}`);
    const tree = new Tree(rules.fromFen(game.variant, game.fen));
    tree.root.comment = game.main.comments.join(' ');
    importGame(tree, game.main.nodes);
    tree.changes = 0;
    return tree;
  }
}

function lineOf(from: TreeNode): NodeView[] {
  const nodes: NodeView[] = [];
  let parent = from;
  for (let node = parent.children[0]; node; parent = node, node = parent.children[0]) {
    // A PGN comment can precede a turn only at the start of a variation; elsewhere it is merged
    // into the comment after the turn.
    const comments = [node.before, node.comment].filter((text) => text !== '');
    const variations = parent.children.slice(1).map(variationOf);
    nodes.push({ ...viewOf(node), comments, variations });
  }
  return nodes;
}

function variationOf(first: TreeNode): LineView {
  const comments = first.before === '' ? [] : [first.before];
  return { comments, nodes: [viewOf(first), ...lineOf(first)] };
}

function viewOf(node: TreeNode): NodeView {
  return {
    turn: node.turn?.text ?? '',
    nags: [...node.nags],
    comments: node.comment === '' ? [] : [node.comment],
    variations: [],
  };
}

/**
 * Adds a game to an empty tree. The whole main line is added before any variation, so that no
 * variation can replace or extend it.
 */
function importGame(tree: Tree, nodes: readonly NodeView[]): void {
  const line: TreeNode[] = [];
  for (const { turn } of nodes) line.push(tree.add(line.at(-1) ?? tree.root, turn));
  nodes.forEach((view, index) => {
    const node = line[index];
    if (node) annotate(node, view);
  });
  const { end } = tree.root;
  /** Adds the variations on each turn of a line that is already in the tree. */
  function addVariations(to: readonly TreeNode[], views: readonly NodeView[]): void {
    views.forEach(({ variations }, index) => {
      const node = to[index];
      if (!node) return;
      for (const variation of variations) {
        addVariations(importVariation(tree, end, node, variation), variation.nodes);
      }
    });
  }
  addVariations(line, nodes);
}

/**
 * Adds a variation and returns its nodes. Existing turns are reused, with one exception: a
 * variation that would extend the main line beyond its end (`mainEnd`) becomes an alternative to
 * the last turn of the main line.
 */
function importVariation(
  tree: Tree,
  mainEnd: TreeNode,
  instead: TreeNode,
  { comments, nodes }: LineView,
): TreeNode[] {
  const text = comments.join(' ');
  if (nodes.length === 0) instead.comment = joined(instead.comment, text);
  const line: TreeNode[] = [];
  for (const [index, view] of nodes.entries()) {
    const parent = line.at(-1) ?? instead.parent;
    if (parent === null) break;
    const isLast = index === nodes.length - 1;
    const fits = (child: TreeNode): boolean =>
      child.turn?.text === view.turn && (isLast || child !== mainEnd);
    const node = parent.children.find(fits) ?? tree.append(parent, view.turn);
    // If a variation begins with the turn that already continues the line, the comment before the
    // variation becomes the turn's own.
    if (index > 0 || text === '') annotate(node, view);
    else if (parent.children[0] === node)
      annotate(node, { ...view, comments: [text, ...view.comments] });
    else {
      node.before = joined(node.before, text);
      annotate(node, view);
    }
    line.push(node);
  }
  return line;
}

/** Adds marks and comments to a turn. */
function annotate(node: TreeNode, { nags, comments }: Pick<NodeView, 'nags' | 'comments'>): void {
  node.nags = [...new Set([...node.nags, ...nags])];
  node.comment = joined(node.comment, comments.join(' '));
}

function joined(one: string, other: string): string {
  if (other === '' || one === other) return one;
  return one === '' ? other : `${one} ${other}`;
}

/** Returns the move number to be written before a turn, such as `1.` or `1…`. */
export function numberOf({ number, turn }: TreeNode): string {
  return `${number}${turn?.color === 'black' ? '…' : '.'}`;
}
