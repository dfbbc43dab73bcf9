import type { GameView, LineView, NodeView } from '../analysis-types';
import type { PlayedTurn } from '../game/record';
import type { Position, Rules } from '../rules';
import { isVariant, type Variant } from '../variants';

/** A position of the tree with the turn that led there, and what is said of that turn. */
export class TreeNode {
  readonly parent: TreeNode | null;
  /** How many turns from the root. */
  readonly ply: number;
  /** The number of the move that the turn belongs to; at the root, of the one to come. */
  readonly number: number;
  /** None at the root. */
  readonly turn: PlayedTurn | null;
  readonly position: Position;
  /** What was played from here; the first one goes on with the line, the others are variations. */
  children: readonly TreeNode[] = $state.raw([]);
  /** Numbers of its marks: 1 is `!`, 2 is `?` … */
  nags: readonly number[] = $state.raw([]);
  /** What is said behind the turn; at the root, before the first one. */
  comment = $state('');
  /** What is said before the turn, where it begins a variation. */
  before = $state('');

  constructor(parent: TreeNode | null, position: Position, turn: PlayedTurn | null) {
    this.parent = parent;
    this.ply = parent === null ? 0 : parent.ply + 1;
    if (parent === null) this.number = Number(position.view.fen.split(' ').at(-1)) || 1;
    else this.number = parent.number + (parent.turn?.color === 'black' ? 1 : 0);
    this.position = position;
    this.turn = turn;
  }

  /** The turns from the root to here. */
  get path(): readonly TreeNode[] {
    return pathOf(this);
  }

  /** The end of the line that goes on from here. */
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

/** A game with its variations, and the place in it that is looked at. */
export class Tree {
  readonly root: TreeNode;
  current: TreeNode = $state.raw() as TreeNode;
  /** Counts what was changed, so that it can be kept. */
  changes = $state(0);

  constructor(readonly initial: Position) {
    this.root = new TreeNode(null, initial, null);
    this.current = this.root;
  }

  get variant(): Variant {
    return this.initial.variant;
  }

  /** The line looked at, to its end. */
  get line(): readonly TreeNode[] {
    return this.current.end.path;
  }

  /** The main line, root left out. */
  get mainLine(): readonly TreeNode[] {
    return this.root.end.path;
  }

  /** The node of a turn from another one; made, as the last variation, where there is none. */
  add(from: TreeNode, turn: string): TreeNode {
    const known = from.children.find((child) => child.turn?.text === turn);
    if (known) return known;
    const after = from.position.playTurn(turn);
    const node = new TreeNode(from, after, { ...from.position.describe(turn), after });
    from.children = [...from.children, node];
    this.changes += 1;
    return node;
  }

  /** Plays turns one after the other, and returns where they lead. */
  addLine(from: TreeNode, turns: readonly string[]): TreeNode {
    return turns.reduce((node, turn) => this.add(node, turn), from);
  }

  /** Makes the line of a node more important by one: the last place where it is a variation. */
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

  /** Takes a turn out, with all that follows it. */
  remove(node: TreeNode): void {
    const { parent } = node;
    if (parent === null) return;
    parent.children = parent.children.filter((child) => child !== node);
    if (this.current.path.includes(node)) this.current = parent;
    this.changes += 1;
  }

  /** Sets or takes away a mark; of the marks of a turn (1 to 6) there is one. */
  toggleNag(node: TreeNode, nag: number): void {
    const others = node.nags.filter((each) => each !== nag && each > 6);
    node.nags = node.nags.includes(nag)
      ? node.nags.filter((each) => each !== nag)
      : [nag, ...others];
    this.changes += 1;
  }

  say(node: TreeNode, comment: string): void {
    node.comment = comment;
    this.changes += 1;
  }

  /** The node at the end of child indices from the root; as far as they lead. */
  at(indices: readonly number[]): TreeNode {
    let node = this.root;
    for (const index of indices) {
      const child = node.children[index];
      if (!child) break;
      node = child;
    }
    return node;
  }

  /** How `at` finds a node again. */
  indicesOf(node: TreeNode): number[] {
    return node.path.map((each) => each.parent?.children.indexOf(each) ?? 0);
  }

  toView(): LineView {
    const comments = this.root.comment === '' ? [] : [this.root.comment];
    return { comments, nodes: lineOf(this.root) };
  }

  /** The tree of a game that was read; refuses a turn that is not legal. */
  static of(rules: Rules, game: GameView): Tree {
    if (!isVariant(game.variant)) throw new TypeError(`no game is called ${game.variant}`);
    const tree = new Tree(rules.fromFen(game.variant, game.fen));
    tree.root.comment = game.main.comments.join(' ');
    extend(tree, tree.root, game.main.nodes);
    tree.changes = 0;
    return tree;
  }
}

function lineOf(from: TreeNode): NodeView[] {
  const nodes: NodeView[] = [];
  for (let at = from, node = at.children[0]; node; at = node, node = at.children[0]) {
    nodes.push({ ...viewOf(node), variations: at.children.slice(1).map(variationOf) });
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

function extend(tree: Tree, from: TreeNode, nodes: readonly NodeView[]): void {
  let at = from;
  for (const { turn, nags, comments, variations } of nodes) {
    const node = tree.add(at, turn);
    node.nags = nags;
    node.comment = comments.join(' ');
    for (const variation of variations) {
      const [first] = variation.nodes;
      if (!first) continue;
      extend(tree, at, variation.nodes);
      const begins = at.children.find((child) => child.turn?.text === first.turn);
      if (begins) begins.before = variation.comments.join(' ');
    }
    at = node;
  }
}

/** The number before a turn: `1.` or `1…`. */
export function numberOf({ number, turn }: TreeNode): string {
  return `${number}${turn?.color === 'black' ? '…' : '.'}`;
}
