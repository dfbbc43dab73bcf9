// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rulesForTests } from '../game/fixtures';
import { Analysis } from './analysis.svelte';
import { TreeKeys } from './keys';

let analysis: Analysis;
let keys: TreeKeys;
let isOff = false;

beforeEach(() => {
  document.body.innerHTML =
    '<main></main><input><input type="radio"><div role="grid"><button></button></div>';
  isOff = false;
  analysis = new Analysis(rulesForTests(), 'chess');
  const { tree } = analysis;
  tree.addLine(tree.root, ['e2e4', 'e7e5', 'g1f3']);
  tree.add(tree.root, 'd2d4');
  keys = new TreeKeys(
    analysis,
    (to) => analysis.goTo(to),
    () => isOff,
  );
  addEventListener('keydown', keys.press);
  addEventListener('pointerdown', keys.point);
});
afterEach(() => {
  removeEventListener('keydown', keys.press);
  removeEventListener('pointerdown', keys.point);
});

/** Presses a key in an element; returns the turn that led to the position on the board. */
function press(key: string, where = 'main', modifiers: KeyboardEventInit = {}): string | null {
  const event = new KeyboardEvent('keydown', {
    key,
    bubbles: true,
    cancelable: true,
    ...modifiers,
  });
  document.querySelector(where)?.dispatchEvent(event);
  return analysis.current.turn?.text ?? null;
}

describe('keys', () => {
  it('move along a line, between variations, and to both ends', () => {
    expect(press('ArrowRight')).toBe('e2e4');
    expect(press('ArrowDown')).toBe('d2d4');
    expect(press('ArrowUp')).toBe('e2e4');
    expect(press('End')).toBe('g1f3');
    expect(press('ArrowLeft')).toBe('e7e5');
    expect(press('Home')).toBeNull();
    expect(press('ArrowLeft')).toBeNull();
  });

  it('are ignored in a field, with a modifier, or while they are off', () => {
    expect(press('ArrowRight', 'input')).toBeNull();
    expect(press('ArrowRight', 'main', { ctrlKey: true })).toBeNull();
    isOff = true;
    expect(press('ArrowRight')).toBeNull();
  });

  it('change a choice only if it was reached with the Tab key', () => {
    press('Tab');
    expect(press('ArrowRight', '[type=radio]')).toBeNull();
    document
      .querySelector('[type=radio]')
      ?.dispatchEvent(new Event('pointerdown', { bubbles: true }));
    expect(press('ArrowRight', '[type=radio]')).toBe('e2e4');
  });

  it('are ignored once the board has handled them', () => {
    const button = document.querySelector('[role=grid] button');
    const use = (event: Event): void => event.preventDefault();
    button?.addEventListener('keydown', use);
    expect(press('ArrowRight', '[role=grid] button')).toBeNull();
    button?.removeEventListener('keydown', use);
    expect(press('ArrowRight', '[role=grid] button')).toBe('e2e4');
  });

  it('undo a step of an unfinished turn', () => {
    const interweave = new Analysis(rulesForTests(), 'interweave');
    interweave.openFen('6kk/8/8/8/8/1r6/r7/N5KK[] w - - 0 1');
    interweave.play('a1a3');
    expect(interweave.chain).toHaveLength(1);
    const interweaveKeys = new TreeKeys(
      interweave,
      (to) => interweave.goTo(to),
      () => false,
    );
    interweaveKeys.press(new KeyboardEvent('keydown', { key: 'Escape', cancelable: true }));
    expect(interweave.chain).toEqual([]);
  });
});
