/**
 * Tracks the identity of the drawn pieces. Distinguishes a piece that moved from one that was
 * captured and replaced, so that the first can glide and the second can fade.
 */
import { distance } from './geometry';
import type { BoardPiece, Square } from './types';

export interface DrawnPiece {
  /** Constant as long as the piece is on the board, wherever it moves. */
  readonly id: number;
  readonly square: Square;
  readonly piece: BoardPiece;
  readonly state: 'standing' | 'arriving' | 'leaving';
  /** Whether the piece glides to its square; otherwise it appears there at once. */
  readonly glides: boolean;
}

export interface Change {
  readonly pieces: ReadonlyMap<Square, BoardPiece>;
  /**
   * Squares that the change is known to involve. A piece that disappears from one of them and one
   * of the same colour that appears on another are treated as the same piece, even if their roles
   * differ.
   */
  readonly about: ReadonlySet<Square>;
  /** Where the user has just dropped a piece, which then does not glide. */
  readonly placed: Square | null;
}

interface Pairing {
  readonly drawn: DrawnPiece;
  readonly square: Square;
  readonly piece: BoardPiece;
  readonly cost: number;
}

/** Returns the drawn pieces for a new position, keeping the order of those already drawn. */
export function reconcile(before: readonly DrawnPiece[], change: Change): readonly DrawnPiece[] {
  const { pieces, about, placed } = change;
  const standing = before.filter((drawn) => drawn.state !== 'leaving');
  const removed = standing.filter((drawn) => !isPiece(pieces.get(drawn.square), drawn.piece));
  const removedSquares = new Set(removed.map((drawn) => drawn.square));
  const occupied = new Set(standing.map((drawn) => drawn.square));
  const added = [...pieces].filter(
    ([square]) => !occupied.has(square) || removedSquares.has(square),
  );

  const moved = new Map<DrawnPiece, DrawnPiece>();
  const settled = new Set<Square>();
  for (const { drawn, square, piece } of pairings(removed, added, about)) {
    if (moved.has(drawn) || settled.has(square)) continue;
    const glides = square !== placed && square !== drawn.square;
    moved.set(drawn, { ...drawn, square, piece, state: 'standing', glides });
    settled.add(square);
  }

  const alreadyDrawn = before.map((drawn): DrawnPiece => {
    if (drawn.state === 'leaving') return drawn;
    const after = moved.get(drawn);
    if (after !== undefined) return after;
    return removedSquares.has(drawn.square)
      ? { ...drawn, state: 'leaving', glides: false }
      : atRest(drawn);
  });
  let id = before.reduce((max, drawn) => Math.max(max, drawn.id), -1);
  const state = standing.length === 0 ? 'standing' : 'arriving';
  const arrived = added
    .filter(([square]) => !settled.has(square))
    .map(([square, piece]): DrawnPiece => ({ id: ++id, square, piece, state, glides: false }));
  return [...alreadyDrawn, ...arrived];
}

/** Returns the pieces with all animations ended, without those that were fading out. */
export function settle(drawnPieces: readonly DrawnPiece[]): readonly DrawnPiece[] {
  return drawnPieces.filter((drawn) => drawn.state !== 'leaving').map(atRest);
}

/** Returns the same pieces; the one on this square may glide again from where it is drawn. */
export function allowGlide(
  drawnPieces: readonly DrawnPiece[],
  square: Square,
): readonly DrawnPiece[] {
  return drawnPieces.map((drawn) =>
    drawn.square === square && drawn.state !== 'leaving' ? { ...drawn, glides: true } : drawn,
  );
}

function atRest(drawn: DrawnPiece): DrawnPiece {
  return drawn.glides || drawn.state === 'arriving'
    ? { ...drawn, state: 'standing', glides: false }
    : drawn;
}

/**
 * Returns all plausible moves from a square that lost its piece to one that gained one, most likely
 * first.
 */
function pairings(
  removed: readonly DrawnPiece[],
  added: readonly (readonly [Square, BoardPiece])[],
  about: ReadonlySet<Square>,
): readonly Pairing[] {
  const DISTANCE_BOUND = 100;
  const pairs = removed.flatMap((drawn) =>
    added.flatMap(([square, piece]): Pairing[] => {
      if (piece.color !== drawn.piece.color) return [];
      const known = about.has(drawn.square) && about.has(square);
      const sameRole = piece.role === drawn.piece.role;
      if (!sameRole && !known) return [];
      // Known squares with equal roles come first, then the nearest piece of the same role, then
      // changes of role.
      const penalty = sameRole ? (known ? 0 : DISTANCE_BOUND) : 2 * DISTANCE_BOUND;
      return [{ drawn, square, piece, cost: penalty + distance(drawn.square, square) }];
    }),
  );
  return pairs.sort((a, b) => a.cost - b.cost);
}

function isPiece(a: BoardPiece | undefined, b: BoardPiece): boolean {
  return a !== undefined && a.color === b.color && a.role === b.role;
}
