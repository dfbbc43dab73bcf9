import type { GameView, TagView } from '../analysis-types';
import { TurnInProgress } from '../game/turn-in-progress.svelte';
import type { Position, Rules, StepView } from '../rules';
import type { Variant } from '../variants';
import { findLink, readLink, treeOf, writeLink } from './link';
import { writeDraft, readDraft, type Draft, type SavedReference } from './draft';
import { Tree, type TreeNode } from './tree.svelte';

type Result = GameView['result'];

/** A game or position under analysis: its tree and the node shown on the board. */
export class Analysis {
  tree: Tree = $state.raw() as Tree;
  tags: readonly TagView[] = $state.raw([]);
  result: Result = $state('*');
  /** Id of the game on this site that the analysis started from. */
  of: string | null = $state(null);
  /** Whether the previous analysis can be restored. */
  hasPrevious = $state(false);
  /** The copy saved in the account; null until it is saved there. */
  saved: SavedReference | null = $state.raw(null);
  /** Version of the account's copy if it is newer than the one this analysis is based on. */
  newer: number | null = $state(null);
  /** Value of `tree.changes` when the analysis was saved; null if unknown. */
  #savedAt: number | null = $state(null);
  readonly #turn = new TurnInProgress(() => this.current.position);

  constructor(
    readonly rules: Rules,
    readonly variant: Variant,
  ) {
    this.tree = new Tree(rules.initial(variant));
  }

  get initialFen(): string {
    return this.rules.initial(this.variant).view.fen;
  }

  get current(): TreeNode {
    return this.tree.current;
  }

  /** The position shown on the board. */
  get shown(): Position {
    return this.#turn.position;
  }

  /** Steps of the unfinished turn. */
  get chain(): readonly StepView[] {
    return this.#turn.steps;
  }

  /** Plays a step; returns the node if the step completes the turn, and null otherwise. */
  play(text: string): TreeNode | null {
    const complete = this.#turn.play(text);
    return complete && this.playTurn(complete.text);
  }

  playTurn(turn: string): TreeNode {
    const node = this.tree.add(this.current, turn);
    this.goTo(node);
    return node;
  }

  /** Undoes the last step of an unfinished turn. */
  undoStep(): void {
    this.#turn.undo();
  }

  goTo(node: TreeNode): void {
    this.#turn.clear();
    this.tree.current = node;
  }

  /** Opens another game or position. The current analysis becomes the previous one. */
  open(game: GameView, of: string | null = null): void {
    const tree = Tree.of(this.rules, game);
    this.#replace(tree);
    this.tags = game.tags;
    this.result = game.result;
    this.of = of;
  }

  openFen(fen: string): void {
    this.#replace(new Tree(this.rules.fromFen(this.variant, fen)));
  }

  /** The analysis as a PGN game. */
  get game(): GameView {
    return {
      variant: this.variant,
      fen: this.tree.initial.view.fen,
      tags: [...this.tags],
      result: this.result,
      main: this.tree.toView(),
    };
  }

  /** Whether a saved analysis has changes that are not in the account's copy. */
  get isChanged(): boolean {
    return this.saved !== null && this.#savedAt !== this.tree.changes;
  }

  /** Records that the analysis was saved when `tree.changes` was `changes`. */
  markSaved(saved: SavedReference, changes: number): void {
    this.saved = { id: saved.id, name: saved.name, version: saved.version };
    this.newer = null;
    this.#savedAt = changes;
  }

  /** Opens an analysis saved in the account. The current analysis becomes the previous one. */
  openSaved(saved: SavedReference, game: GameView): void {
    this.open(game);
    this.markSaved(saved, this.tree.changes);
  }

  get link(): string {
    return writeLink(this.tree, this.initialFen);
  }

  store(): void {
    writeDraft(this.variant, this.#draft());
  }

  /** Whether there is nothing worth saving. */
  get isEmpty(): boolean {
    const { root } = this.tree;
    return (
      root.children.length === 0 &&
      root.comment === '' &&
      this.tree.initial.view.fen === this.initialFen
    );
  }

  /** Exchanges the current and the previous analysis. */
  swap(): void {
    const before = readDraft(this.variant, 'before');
    if (before === null) return;
    const draft = this.#draft();
    if (!this.#takeIfValid(before)) {
      this.hasPrevious = false;
      return;
    }
    writeDraft(this.variant, draft, 'before');
    this.store();
  }

  /**
   * Restores the stored draft if it belongs to the given game, if it has unsaved changes to the
   * given saved analysis, or if neither is given; otherwise opens the given game or saved analysis.
   * Then goes to the position in the address; throws if the address is invalid.
   */
  begin(
    hash: string,
    game: { id: string; view: GameView } | null = null,
    saved: { saved: SavedReference; view: GameView } | null = null,
  ): void {
    const draft = readDraft(this.variant);
    let isKept = false;
    const keep = (unrelated: Draft): void => {
      // An empty draft must not replace an analysis.
      const { main, fen } = unrelated.game;
      if (main.nodes.length + main.comments.length === 0 && fen === this.initialFen) return;
      writeDraft(this.variant, unrelated, 'before');
      isKept = true;
    };
    if (saved !== null) {
      const isThis = draft?.saved?.id === saved.saved.id;
      if (draft !== null && isThis && draft.saved?.isChanged === true) this.#takeIfValid(draft);
      if (this.saved === null) {
        if (draft !== null && !isThis) keep(draft);
        this.openSaved(saved.saved, saved.view);
      } else if (this.saved.version !== saved.saved.version) this.newer = saved.saved.version;
    } else if (game === null) {
      if (draft !== null) this.#takeIfValid(draft);
    } else {
      const isThis = draft?.of === game.id;
      const isRestored = draft !== null && isThis && this.#takeIfValid(draft);
      if (draft !== null && !isThis) keep(draft);
      if (!isRestored) this.open(game.view, game.id);
    }
    this.hasPrevious = readDraft(this.variant, 'before') !== null;
    const link = readLink(hash);
    if (link === null) return;
    const found = findLink(this.tree, link, this.initialFen);
    if (found) this.goTo(found);
    // The game or saved analysis can be opened again; a draft that has just been kept cannot.
    else this.#replace(treeOf(this.rules, this.variant, link), !isKept);
  }

  /** Restores a draft; returns false if it is invalid. */
  #takeIfValid(draft: Draft): boolean {
    try {
      this.#take(draft);
      return true;
    } catch {
      // The draft was written by another version of the page or edited by hand: ignore it.
      this.#turn.clear();
      return false;
    }
  }

  /** Shows another tree. The current analysis is kept as the previous one, if `keeps` is true. */
  #replace(tree: Tree, keeps = true): void {
    if (keeps && !this.isEmpty) {
      writeDraft(this.variant, this.#draft(), 'before');
      this.hasPrevious = true;
    }
    this.#turn.clear();
    this.tree = tree;
    this.tags = [];
    this.result = '*';
    this.of = null;
    this.#forget();
  }

  #forget(): void {
    this.saved = null;
    this.newer = null;
    this.#savedAt = null;
  }

  #take(draft: Draft): void {
    const tree = Tree.of(this.rules, draft.game);
    tree.current = tree.at(draft.at);
    this.#turn.clear();
    this.tree = tree;
    this.tags = draft.game.tags;
    this.result = draft.game.result;
    this.of = draft.of;
    this.#forget();
    if (draft.saved === null) return;
    this.markSaved(draft.saved, tree.changes);
    if (draft.saved.isChanged) this.#savedAt = null;
  }

  #draft(): Draft {
    const saved = this.saved && { ...this.saved, isChanged: this.isChanged };
    return { game: this.game, at: this.tree.indicesOf(this.current), of: this.of, saved };
  }
}
