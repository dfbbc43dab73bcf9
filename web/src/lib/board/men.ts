/**
 * Tracks the identity of the drawn pieces. Distinguishes a piece that moved from one that was captured and
 * replaced, so that the first can glide and the second can fade.
 */
import { distance } from './geometry';
import type { BoardPiece, Square } from './types';

export interface Man {
  /** Constant as long as the piece is on the board, wherever it moves. */
  readonly id: number;
  readonly square: Square;
  readonly piece: BoardPiece;
  readonly state: 'standing' | 'arriving' | 'leaving';
  /** Whether the piece glides to its square or appears there at once. */
  readonly glides: boolean;
}

export interface Change {
  readonly pieces: ReadonlyMap<Square, BoardPiece>;
  /** Squares that the change is known to involve. A piece that goes from one of them to another is taken
   *  to be the same piece, even if its role differs. */
  readonly about: ReadonlySet<Square>;
  /** Where the user has just dropped a piece, which then does not glide. */
  readonly placed: Square | null;
}

interface Pairing {
  readonly man: Man;
  readonly square: Square;
  readonly piece: BoardPiece;
  readonly cost: number;
}

/** Returns the drawn pieces for a new position, keeping the order of those already drawn. */
export function reconcile(before: readonly Man[], change: Change): readonly Man[] {
  const { pieces, about, placed } = change;
  const standing = before.filter((man) => man.state !== 'leaving');
  const gone = standing.filter((man) => !isPiece(pieces.get(man.square), man.piece));
  const goneSquares = new Set(gone.map((man) => man.square));
  const here = new Set(standing.map((man) => man.square));
  const came = [...pieces].filter(([square]) => !here.has(square) || goneSquares.has(square));

  const moved = new Map<Man, Man>();
  const settled = new Set<Square>();
  for (const { man, square, piece } of pairings(gone, came, about)) {
    if (moved.has(man) || settled.has(square)) continue;
    const glides = square !== placed && square !== man.square;
    moved.set(man, { ...man, square, piece, state: 'standing', glides });
    settled.add(square);
  }

  const kept = before.map((man): Man => {
    if (man.state === 'leaving') return man;
    const after = moved.get(man);
    if (after !== undefined) return after;
    return goneSquares.has(man.square) ? { ...man, state: 'leaving', glides: false } : rest(man);
  });
  let id = before.reduce((max, man) => Math.max(max, man.id), -1);
  const state = standing.length === 0 ? 'standing' : 'arriving';
  const arrived = came
    .filter(([square]) => !settled.has(square))
    .map(([square, piece]): Man => ({ id: ++id, square, piece, state, glides: false }));
  return [...kept, ...arrived];
}

/** Returns the same pieces with all animations ended. */
export function atRest(men: readonly Man[]): readonly Man[] {
  return men.filter((man) => man.state !== 'leaving').map(rest);
}

/** Returns the same pieces; the one on this square may glide again from where it is drawn. */
export function freed(men: readonly Man[], square: Square): readonly Man[] {
  return men.map((man) =>
    man.square === square && man.state !== 'leaving' ? { ...man, glides: true } : man,
  );
}

function rest(man: Man): Man {
  return man.glides || man.state === 'arriving'
    ? { ...man, state: 'standing', glides: false }
    : man;
}

/** Returns all plausible moves from a square that lost its piece to one that gained one, the likeliest first. */
function pairings(
  gone: readonly Man[],
  came: readonly (readonly [Square, BoardPiece])[],
  about: ReadonlySet<Square>,
): readonly Pairing[] {
  const FAR = 100;
  const pairs = gone.flatMap((man) =>
    came.flatMap(([square, piece]): Pairing[] => {
      if (piece.color !== man.piece.color) return [];
      const known = about.has(man.square) && about.has(square);
      const sameRole = piece.role === man.piece.role;
      if (!sameRole && !known) return [];
      // Named squares with equal roles come first, then the nearest of equal role, then changes of role.
      const rank = sameRole ? (known ? 0 : FAR) : 2 * FAR;
      return [{ man, square, piece, cost: rank + distance(man.square, square) }];
    }),
  );
  return pairs.sort((a, b) => a.cost - b.cost);
}

function isPiece(a: BoardPiece | undefined, b: BoardPiece): boolean {
  return a !== undefined && a.color === b.color && a.role === b.role;
}
