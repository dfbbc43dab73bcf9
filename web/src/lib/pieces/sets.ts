/** Images of the pieces: the sets of each game, and the URLs of their files. */

import { games } from '../games';
import type { Variant } from '../variants';

export type Color = 'white' | 'black';
export type { Variant };
export type RoleOf<V extends Variant> = keyof (typeof games)[V]['roles'] & string;

/** The sets: traditional chess pieces, or pieces drawn as their way of capturing. Not every game has the second. */
export type SetName = 'classic' | 'mechanism';

/**
 * The pieces of the classic set by letter. The other games are traditionally played with chess pieces: each role uses
 * the piece with its letter. The seventh is a rook upside down.
 */
const CLASSIC: Readonly<Record<string, string>> = {
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
  ['./classic/*.svg', '../../../../games/*/men/*.svg'],
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
  const man = set === 'classic' ? CLASSIC[letters[role] ?? ''] : role;
  const folder = set === 'classic' ? './classic' : `../../../../games/${games[variant].men}/men`;
  const file = `${folder}/${color}-${man}.svg`;
  return man !== undefined && Object.hasOwn(URLS, file) ? file : undefined;
}

/** Returns the sets of a game, the default first. */
export function setsOf(variant: Variant): readonly SetName[] {
  const sets: readonly SetName[] = ['classic', 'mechanism'];
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
