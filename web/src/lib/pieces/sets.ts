/** Images of the pieces: the sets of each game, and the URLs of their files. */

import { games } from '../games';
import type { Variant } from '../variants';

export type Color = 'white' | 'black';
export type { Variant };
export type RoleOf<V extends Variant> = keyof (typeof games)[V]['roles'] & string;

/**
 * The sets: chess pieces in the Staunton style, the same pieces as bold shapes, and pieces drawn by
 * how they move and capture.
 */
export const setNames = ['classic', 'silhouette', 'mechanism'] as const;
export type SetName = (typeof setNames)[number];

/**
 * The chess pieces by letter. The other games are traditionally played with chess pieces: each role
 * uses the piece with its letter. The seventh is a rook upside down.
 */
const CHESS_PIECES: Readonly<Record<string, string>> = {
  K: 'king',
  Q: 'queen',
  R: 'rook',
  B: 'bishop',
  N: 'knight',
  P: 'pawn',
  M: 'immobilizer',
};

// Files rather than `data:` URLs, so that the content security policy need not allow those.
const URLS: Readonly<Record<string, string>> = import.meta.glob<string>(
  ['./classic/*.svg', './silhouette/*.svg', '../../../../games/*/men/*.svg'],
  {
    eager: true,
    query: '?url&no-inline',
    import: 'default',
  },
);

/** Returns the roles of a game. */
export function rolesOf<V extends Variant>(variant: V): readonly RoleOf<V>[] {
  return Object.keys(games[variant].roles) as RoleOf<V>[];
}

/** Returns the file of a piece's image if the set has one: `./classic/white-king.svg`. */
function fileOf(set: string, variant: Variant, color: Color, role: string): string | undefined {
  const letters: Readonly<Record<string, string>> = games[variant].roles;
  const isOwn = set === 'mechanism';
  const man = isOwn ? role : CHESS_PIECES[letters[role] ?? ''];
  const folder = isOwn ? `../../../../games/${games[variant].men}/men` : `./${set}`;
  const file = `${folder}/${color}-${man}.svg`;
  return man !== undefined && Object.hasOwn(URLS, file) ? file : undefined;
}

/**
 * Returns true if a role moves like the chess piece that it is drawn as, so that its shape shows
 * how it moves.
 */
export function isChessPiece(role: string, letter: string): boolean {
  return CHESS_PIECES[letter] === role;
}

function hasChessPieces(variant: Variant): boolean {
  return Object.entries<string>(games[variant].roles).every(([role, letter]) =>
    isChessPiece(role, letter),
  );
}

/**
 * Returns the sets of a game, the default first: chess pieces if they move as they look. In other
 * games, a rook's shape says nothing about how a coordinator moves, so the pieces that show it come
 * first. The server uses the same rule.
 */
export function setsOf(variant: Variant): readonly SetName[] {
  const sets: readonly SetName[] = hasChessPieces(variant)
    ? setNames
    : ['mechanism', 'classic', 'silhouette'];
  return sets.filter((set) =>
    rolesOf(variant).every((role) => fileOf(set, variant, 'white', role) !== undefined),
  );
}

/** Whether a name from outside, such as a stored setting, is a set of this game. */
export function isSet(variant: Variant, name: string): name is SetName {
  return setsOf(variant).some((set) => set === name);
}

/** Whether a name from outside is a role of this game. */
export function isRole<V extends Variant>(variant: V, name: string): name is RoleOf<V> {
  return Object.hasOwn(games[variant].roles, name);
}

/** Returns the URL of a piece's image. */
export function pieceUrl<V extends Variant>(
  set: SetName,
  variant: V,
  color: Color,
  role: RoleOf<V>,
): string {
  const url = URLS[fileOf(set, variant, color, role) ?? ''];
  if (!url) throw new Error(`the set ${set} has no image of the ${color} ${role} of ${variant}`);
  return url;
}
