import { describe, expect, it } from 'vitest';
import { settle, allowGlide, reconcile, type Change, type DrawnPiece } from './drawn-pieces';
import type { BoardPiece, Square } from './types';

/** Builds pieces from codes such as `wR`, a white piece with the role R. */
function pieces(names: Partial<Record<Square, string>>): ReadonlyMap<Square, BoardPiece> {
  return new Map(
    Object.entries(names).map(([square, name]) => [
      square as Square,
      { color: name.startsWith('w') ? 'white' : 'black', role: name.slice(1) },
    ]),
  );
}

function change(
  before: readonly DrawnPiece[],
  to: Partial<Record<Square, string>>,
  more: Partial<Change> = {},
): readonly DrawnPiece[] {
  return reconcile(before, { pieces: pieces(to), about: new Set(), placed: null, ...more });
}

function at(drawnPieces: readonly DrawnPiece[], square: Square): DrawnPiece | undefined {
  return drawnPieces.find((drawn) => drawn.square === square && drawn.state !== 'leaving');
}

function leaving(drawnPieces: readonly DrawnPiece[]): readonly Square[] {
  return drawnPieces.filter((drawn) => drawn.state === 'leaving').map((drawn) => drawn.square);
}

it('sets up without animation', () => {
  const drawnPieces = change([], { e1: 'wK', e8: 'bK' });
  expect(drawnPieces.every((drawn) => drawn.state === 'standing' && !drawn.glides)).toBe(true);
  expect(new Set(drawnPieces.map((drawn) => drawn.id)).size).toBe(2);
});

it('makes the piece that moved glide, and leaves the others unchanged', () => {
  const before = change([], { e2: 'wP', d2: 'wP', e8: 'bK' });
  const drawnPieces = change(before, { e4: 'wP', d2: 'wP', e8: 'bK' });
  expect(at(drawnPieces, 'e4')).toMatchObject({ id: at(before, 'e2')?.id, glides: true });
  expect(at(drawnPieces, 'd2')).toBe(at(before, 'd2'));
  expect(leaving(drawnPieces)).toEqual([]);
});

it('keeps the order of the drawn pieces', () => {
  const before = change([], { a1: 'wR', b1: 'wN', c1: 'wB' });
  const drawnPieces = change(before, { h1: 'wR', b1: 'wN', c1: 'wB' });
  expect(drawnPieces.map((drawn) => drawn.id)).toEqual(before.map((drawn) => drawn.id));
});

it('distinguishes the capturing and the captured piece on one square', () => {
  const before = change([], { f3: 'wN', e5: 'bN' });
  const drawnPieces = change(before, { e5: 'wN' });
  expect(at(drawnPieces, 'e5')).toMatchObject({ id: at(before, 'f3')?.id, glides: true });
  expect(drawnPieces.filter((drawn) => drawn.state === 'leaving').map((drawn) => drawn.id)).toEqual(
    [at(before, 'e5')?.id],
  );
});

it('fades out several pieces at once', () => {
  const before = change([], { c2: 'wP', c5: 'bN', d4: 'bR', h8: 'bK' });
  const drawnPieces = change(before, { c4: 'wP', h8: 'bK' });
  expect(leaving(drawnPieces)).toEqual(['c5', 'd4']);
  expect(at(drawnPieces, 'c4')?.id).toBe(at(before, 'c2')?.id);
});

it('fades out pieces captured by one that did not move', () => {
  const before = change([], { e4: 'wB', e5: 'bP', f4: 'bP' });
  const drawnPieces = change(before, { e4: 'wB' });
  expect(leaving(drawnPieces)).toEqual(['e5', 'f4']);
  expect(at(drawnPieces, 'e4')).toMatchObject({ glides: false, state: 'standing' });
});

it('moves both pieces when castling', () => {
  const before = change([], { e1: 'wK', h1: 'wR', a1: 'wR' });
  const drawnPieces = change(before, { g1: 'wK', f1: 'wR', a1: 'wR' });
  expect(at(drawnPieces, 'g1')?.id).toBe(at(before, 'e1')?.id);
  expect(at(drawnPieces, 'f1')?.id).toBe(at(before, 'h1')?.id);
  expect(at(drawnPieces, 'a1')).toBe(at(before, 'a1'));
});

describe('among identical pieces', () => {
  const before = change([], { a1: 'wR', h1: 'wR' });

  it('moves the nearest one', () => {
    const drawnPieces = change(before, { c1: 'wR', e1: 'wR' });
    expect(at(drawnPieces, 'c1')?.id).toBe(at(before, 'a1')?.id);
    expect(at(drawnPieces, 'e1')?.id).toBe(at(before, 'h1')?.id);
  });

  it('prefers the squares named in the change', () => {
    const drawnPieces = change(before, { c1: 'wR', e1: 'wR' }, { about: new Set(['a1', 'e1']) });
    expect(at(drawnPieces, 'e1')?.id).toBe(at(before, 'a1')?.id);
    expect(at(drawnPieces, 'c1')?.id).toBe(at(before, 'h1')?.id);
  });
});

describe('a promotion', () => {
  const before = change([], { e7: 'wP', d8: 'bR' });
  const about = new Set<Square>(['e7', 'd8']);

  it('keeps the same piece if the change names its squares', () => {
    const drawnPieces = change(before, { d8: 'wQ' }, { about });
    expect(at(drawnPieces, 'd8')).toMatchObject({
      id: at(before, 'e7')?.id,
      glides: true,
      piece: { role: 'Q' },
    });
    const back = change(settle(drawnPieces), { e7: 'wP', d8: 'bR' }, { about });
    expect(at(back, 'e7')).toMatchObject({ id: at(before, 'e7')?.id, glides: true });
    expect(at(back, 'd8')?.state).toBe('arriving');
  });

  it('replaces the piece otherwise', () => {
    const drawnPieces = change(before, { d8: 'wQ' });
    expect(leaving(drawnPieces)).toEqual(['e7', 'd8']);
    expect(at(drawnPieces, 'd8')?.state).toBe('arriving');
  });
});

it('never changes the colour of a piece', () => {
  const before = change([], { e4: 'wP' });
  const drawnPieces = change(before, { e5: 'bP' }, { about: new Set(['e4', 'e5']) });
  expect(leaving(drawnPieces)).toEqual(['e4']);
  expect(at(drawnPieces, 'e5')?.id).not.toBe(at(before, 'e4')?.id);
});

it('does not make a dropped piece glide', () => {
  const before = change([], { e1: 'wK', h1: 'wR' });
  const drawnPieces = change(before, { g1: 'wK', f1: 'wR' }, { placed: 'g1' });
  expect(at(drawnPieces, 'g1')?.glides).toBe(false);
  expect(at(drawnPieces, 'f1')?.glides).toBe(true);
});

it('continues to fade out a piece when the next move arrives', () => {
  const taken = change(change([], { f3: 'wN', e5: 'bN', a7: 'bP' }), { e5: 'wN', a7: 'bP' });
  const drawnPieces = change(taken, { e5: 'wN', a6: 'bP' });
  expect(leaving(drawnPieces)).toEqual(['e5']);
  expect(at(drawnPieces, 'e5')?.glides).toBe(false);
  expect(new Set(drawnPieces.map((drawn) => drawn.id)).size).toBe(drawnPieces.length);
  expect(leaving(settle(drawnPieces))).toEqual([]);
});

it('lets only the piece standing on a square glide', () => {
  const drawnPieces = change(change([], { f3: 'wN', e5: 'bN' }), { e5: 'wN' }, { placed: 'e5' });
  expect(allowGlide(drawnPieces, 'e5').map(({ state, glides }) => [state, glides])).toEqual([
    ['standing', true],
    ['leaving', false],
  ]);
});
