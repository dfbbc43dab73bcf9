/** The piece sets of each game, and the files of their images. */

import { games } from '../games';
import type { Variant } from '../variants';

export type Color = 'white' | 'black';
export type { Variant };
export type RoleOf<V extends Variant> = keyof (typeof games)[V]['roles'] & string;

/**
 * The sets: chess pieces in the Staunton style, the same pieces as bold shapes, and pieces whose
 * shapes show how they move and capture.
 */
export const setNames = ['classic', 'silhouette', 'mechanism'] as const;
export type SetName = (typeof setNames)[number];

/**
 * The chess pieces by letter. The other games are traditionally played with chess pieces: each role
 * uses the piece with its letter. The seventh is an upside-down rook.
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

/** The files of all images. Only the keys are used, so the bundler leaves out the images. */
const FILES: ReadonlySet<string> = new Set(
  Object.keys(
    import.meta.glob(['./classic/*.svg', './silhouette/*.svg', '../../../../games/*/men/*.svg']),
  ),
);

/** Images as SVG text, by file. */
type Images = Readonly<Record<string, string>>;

const LOADERS: Readonly<Record<SetName, () => Promise<{ default: Images }>>> = {
  classic: () => import('./classic'),
  silhouette: () => import('./silhouette'),
  mechanism: () => import('./mechanism'),
};

/** Returns the roles of a game. */
export function rolesOf<V extends Variant>(variant: V): readonly RoleOf<V>[] {
  return Object.keys(games[variant].roles) as RoleOf<V>[];
}

/** Returns the file of a piece's image, such as `./classic/white-king.svg`, if the set has one. */
function fileOf(set: string, variant: Variant, color: Color, role: string): string | undefined {
  const letters: Readonly<Record<string, string>> = games[variant].roles;
  const hasOwnMen = set === 'mechanism';
  const man = hasOwnMen ? role : CHESS_PIECES[letters[role] ?? ''];
  const folder = hasOwnMen ? `../../../../games/${games[variant].men}/men` : `./${set}`;
  const file = `${folder}/${color}-${man}.svg`;
  return man !== undefined && FILES.has(file) ? file : undefined;
}

/**
 * Returns true if a role has the name of the chess piece with its letter. If all roles of a game
 * do, it is played with the pieces of chess.
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
 * Returns the sets of a game, the default first. In a game played with the pieces of chess, that is
 * the classic set; otherwise it is the set whose shapes show how the men move. The server uses the
 * same rule.
 */
export function setsOf(variant: Variant): readonly SetName[] {
  const sets: readonly SetName[] = hasChessPieces(variant)
    ? setNames
    : ['mechanism', 'classic', 'silhouette'];
  return sets.filter((set) =>
    rolesOf(variant).every((role) => fileOf(set, variant, 'white', role) !== undefined),
  );
}

/** Returns true if a name from outside, such as a stored setting, is a set of this game. */
export function isSet(variant: Variant, name: string): name is SetName {
  return setsOf(variant).some((set) => set === name);
}

/** Returns true if a name from outside is a role of this game. */
export function isRole<V extends Variant>(variant: V, name: string): name is RoleOf<V> {
  return Object.hasOwn(games[variant].roles, name);
}

/** Returns the file of a piece's image. */
export function imageFile<V extends Variant>(
  set: SetName,
  variant: V,
  color: Color,
  role: RoleOf<V>,
): string {
  const file = fileOf(set, variant, color, role);
  if (file === undefined)
    throw new Error(`the set ${set} has no image of the ${color} ${role} in ${variant}`);
  return file;
}

/** Loads the images of a set, for all games that have it, with one request. */
export async function loadImages(set: SetName): Promise<Images> {
  return (await LOADERS[set]()).default;
}
