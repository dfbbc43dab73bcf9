import { describe, expect, it } from 'vitest';
import { atRest, freed, reconcile, type Change, type Man } from './men';
import type { BoardPiece, Square } from './types';

/** Builds pieces from codes: `wR` is a white piece with the role R. */
function pieces(names: Partial<Record<Square, string>>): ReadonlyMap<Square, BoardPiece> {
  return new Map(
    Object.entries(names).map(([square, name]) => [
      square as Square,
      { color: name.startsWith('w') ? 'white' : 'black', role: name.slice(1) },
    ]),
  );
}

function change(
  before: readonly Man[],
  to: Partial<Record<Square, string>>,
  more: Partial<Change> = {},
): readonly Man[] {
  return reconcile(before, { pieces: pieces(to), about: new Set(), placed: null, ...more });
}

function at(men: readonly Man[], square: Square): Man | undefined {
  return men.find((man) => man.square === square && man.state !== 'leaving');
}

function leaving(men: readonly Man[]): readonly Square[] {
  return men.filter((man) => man.state === 'leaving').map((man) => man.square);
}

it('sets up without animation', () => {
  const men = change([], { e1: 'wK', e8: 'bK' });
  expect(men.every((man) => man.state === 'standing' && !man.glides)).toBe(true);
  expect(new Set(men.map((man) => man.id)).size).toBe(2);
});

it('glides the piece that moved and leaves the others unchanged', () => {
  const before = change([], { e2: 'wP', d2: 'wP', e8: 'bK' });
  const men = change(before, { e4: 'wP', d2: 'wP', e8: 'bK' });
  expect(at(men, 'e4')).toMatchObject({ id: at(before, 'e2')?.id, glides: true });
  expect(at(men, 'd2')).toBe(at(before, 'd2'));
  expect(leaving(men)).toEqual([]);
});

it('keeps the order of the drawn pieces', () => {
  const before = change([], { a1: 'wR', b1: 'wN', c1: 'wB' });
  const men = change(before, { h1: 'wR', b1: 'wN', c1: 'wB' });
  expect(men.map((man) => man.id)).toEqual(before.map((man) => man.id));
});

it('distinguishes the capturing and the captured piece on one square', () => {
  const before = change([], { f3: 'wN', e5: 'bN' });
  const men = change(before, { e5: 'wN' });
  expect(at(men, 'e5')).toMatchObject({ id: at(before, 'f3')?.id, glides: true });
  expect(men.filter((man) => man.state === 'leaving').map((man) => man.id)).toEqual([
    at(before, 'e5')?.id,
  ]);
});

it('fades several pieces at once', () => {
  const before = change([], { c2: 'wP', c5: 'bN', d4: 'bR', h8: 'bK' });
  const men = change(before, { c4: 'wP', h8: 'bK' });
  expect(leaving(men)).toEqual(['c5', 'd4']);
  expect(at(men, 'c4')?.id).toBe(at(before, 'c2')?.id);
});

it('fades pieces captured by one that did not move', () => {
  const before = change([], { e4: 'wB', e5: 'bP', f4: 'bP' });
  const men = change(before, { e4: 'wB' });
  expect(leaving(men)).toEqual(['e5', 'f4']);
  expect(at(men, 'e4')).toMatchObject({ glides: false, state: 'standing' });
});

it('moves both pieces when castling', () => {
  const before = change([], { e1: 'wK', h1: 'wR', a1: 'wR' });
  const men = change(before, { g1: 'wK', f1: 'wR', a1: 'wR' });
  expect(at(men, 'g1')?.id).toBe(at(before, 'e1')?.id);
  expect(at(men, 'f1')?.id).toBe(at(before, 'h1')?.id);
  expect(at(men, 'a1')).toBe(at(before, 'a1'));
});

describe('among identical pieces', () => {
  const before = change([], { a1: 'wR', h1: 'wR' });

  it('moves the nearest one', () => {
    const men = change(before, { c1: 'wR', e1: 'wR' });
    expect(at(men, 'c1')?.id).toBe(at(before, 'a1')?.id);
    expect(at(men, 'e1')?.id).toBe(at(before, 'h1')?.id);
  });

  it('prefers the squares named in the change', () => {
    const men = change(before, { c1: 'wR', e1: 'wR' }, { about: new Set(['a1', 'e1']) });
    expect(at(men, 'e1')?.id).toBe(at(before, 'a1')?.id);
    expect(at(men, 'c1')?.id).toBe(at(before, 'h1')?.id);
  });
});

describe('a promotion', () => {
  const before = change([], { e7: 'wP', d8: 'bR' });
  const about = new Set<Square>(['e7', 'd8']);

  it('keeps the same piece if the change names its squares', () => {
    const men = change(before, { d8: 'wQ' }, { about });
    expect(at(men, 'd8')).toMatchObject({
      id: at(before, 'e7')?.id,
      glides: true,
      piece: { role: 'Q' },
    });
    const back = change(atRest(men), { e7: 'wP', d8: 'bR' }, { about });
    expect(at(back, 'e7')).toMatchObject({ id: at(before, 'e7')?.id, glides: true });
    expect(at(back, 'd8')?.state).toBe('arriving');
  });

  it('replaces the piece otherwise', () => {
    const men = change(before, { d8: 'wQ' });
    expect(leaving(men)).toEqual(['e7', 'd8']);
    expect(at(men, 'd8')?.state).toBe('arriving');
  });
});

it('never changes the colour of a piece', () => {
  const before = change([], { e4: 'wP' });
  const men = change(before, { e5: 'bP' }, { about: new Set(['e4', 'e5']) });
  expect(leaving(men)).toEqual(['e4']);
  expect(at(men, 'e5')?.id).not.toBe(at(before, 'e4')?.id);
});

it('does not glide a piece that was dropped', () => {
  const before = change([], { e1: 'wK', h1: 'wR' });
  const men = change(before, { g1: 'wK', f1: 'wR' }, { placed: 'g1' });
  expect(at(men, 'g1')?.glides).toBe(false);
  expect(at(men, 'f1')?.glides).toBe(true);
});

it('continues to fade a piece when the next move arrives', () => {
  const taken = change(change([], { f3: 'wN', e5: 'bN', a7: 'bP' }), { e5: 'wN', a7: 'bP' });
  const men = change(taken, { e5: 'wN', a6: 'bP' });
  expect(leaving(men)).toEqual(['e5']);
  expect(at(men, 'e5')?.glides).toBe(false);
  expect(new Set(men.map((man) => man.id)).size).toBe(men.length);
  expect(leaving(atRest(men))).toEqual([]);
});

it('lets only the piece standing on a square glide', () => {
  const men = change(change([], { f3: 'wN', e5: 'bN' }), { e5: 'wN' }, { placed: 'e5' });
  expect(freed(men, 'e5').map(({ state, glides }) => [state, glides])).toEqual([
    ['standing', true],
    ['leaving', false],
  ]);
});
