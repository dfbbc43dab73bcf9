import type { Analysis } from './analysis.svelte';
import type { TreeNode } from './tree.svelte';

/** Fields in which the keys that navigate through the tree have a meaning of their own. */
const FIELD_SELECTOR = 'input:not([type=radio], [type=checkbox]), select, textarea';

/**
 * Keyboard navigation through the tree of an analysis, except while a text field, a slider or a
 * drop-down list has the focus.
 *
 * After a click on a radio button, the arrow keys navigate too, so that they do not change the
 * choice by accident. A radio button that was reached with the Tab key handles them itself.
 */
export class TreeKeys {
  readonly #analysis: Analysis;
  readonly #go: (to: TreeNode) => void;
  readonly #isOff: () => boolean;
  /** Whether the focus was last moved by the Tab key, not by a pointer. */
  #isTabbing = false;

  /** `go` shows a node; while `isOff` returns true the keys are ignored. */
  constructor(analysis: Analysis, go: (to: TreeNode) => void, isOff: () => boolean) {
    this.#analysis = analysis;
    this.#go = go;
    this.#isOff = isOff;
  }

  /**
   * Handles a key that nothing else has used. The board uses the arrow keys itself only while it is
   * being operated by keyboard.
   */
  readonly press = (event: KeyboardEvent): void => {
    if (event.key === 'Tab') this.#isTabbing = true;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#isOff() || isWithin(event, FIELD_SELECTOR)) return;
    if (this.#isTabbing && isWithin(event, '[type=radio]')) return;
    const isBack = event.key === 'Backspace' || event.key === 'Escape';
    if (this.#analysis.chain.length > 0 && isBack) {
      this.#analysis.undoStep();
      event.preventDefault();
      return;
    }
    const to = this.#destination(event.key);
    if (to === undefined) return;
    event.preventDefault();
    if (to !== null) this.#go(to);
  };

  /** Handles a pointer press, which may move the focus. */
  readonly point = (): void => {
    this.#isTabbing = false;
  };

  /**
   * Returns the node that a key leads to: null if there is none, undefined if the key does not
   * navigate.
   */
  #destination(key: string): TreeNode | null | undefined {
    const { current: node, tree } = this.#analysis;
    switch (key) {
      case 'ArrowLeft':
        return node.parent;
      case 'ArrowRight':
        return node.children[0] ?? null;
      case 'ArrowUp':
        return sibling(node, -1) ?? tree.root;
      case 'ArrowDown':
        return sibling(node, 1) ?? node.end;
      case 'Home':
        return tree.root;
      case 'End':
        return node.end;
      default:
        return undefined;
    }
  }
}

/**
 * Returns the next or previous alternative; the node itself at either end of the list, null if it
 * has no alternatives.
 */
function sibling(node: TreeNode, by: number): TreeNode | null {
  const siblings = node.parent?.children ?? [];
  return siblings.length < 2 ? null : (siblings[siblings.indexOf(node) + by] ?? node);
}

function isWithin({ target }: KeyboardEvent, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
