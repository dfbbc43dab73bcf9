/** The men as drawings: which sets each game offers, and where a man's drawing is. */

import { games } from '../games';
import type { Variant } from '../variants';

export type Color = 'white' | 'black';
export type { Variant };
export type RoleOf<V extends Variant> = keyof (typeof games)[V]['roles'] & string;

/** The sets: orthodox men, and men drawn as the way in which they take. Not every game has the second. */
export type SetName = 'classic' | 'mechanism';

/**
 * The men of the classic set, by letters: the other games are traditionally played with orthodox men, each role with
 * the man whose letter it bears. The seventh is a rook upside down.
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

// Files of their own, never `data:` addresses: the page's content policy need not let those in.
const URLS: Readonly<Record<string, string>> = import.meta.glob<string>(
  ['./classic/*.svg', '../../../../games/*/men/*.svg'],
  {
    eager: true,
    query: '?url&no-inline',
    import: 'default',
  },
);

/** The roles of a game. */
export function rolesOf<V extends Variant>(variant: V): readonly RoleOf<V>[] {
  return Object.keys(games[variant].roles) as RoleOf<V>[];
}

/** The file of a man's drawing, if the set has one: `./classic/white-king.svg`. */
function fileOf(set: string, variant: Variant, color: Color, role: string): string | undefined {
  const letters: Readonly<Record<string, string>> = games[variant].roles;
  const man = set === 'classic' ? CLASSIC[letters[role] ?? ''] : role;
  const folder = set === 'classic' ? './classic' : `../../../../games/${games[variant].men}/men`;
  const file = `${folder}/${color}-${man}.svg`;
  return man !== undefined && Object.hasOwn(URLS, file) ? file : undefined;
}

/** The sets a game offers, the one to begin with first. */
export function setsOf(variant: Variant): readonly SetName[] {
  const sets: readonly SetName[] = ['classic', 'mechanism'];
  return sets.filter((set) =>
    rolesOf(variant).every((role) => fileOf(set, variant, 'white', role) !== undefined),
  );
}

/** Whether a name read from outside (a setting kept by the browser, say) is a set of this game. */
export function isSet(variant: Variant, name: string): name is SetName {
  return setsOf(variant).some((set) => set === name);
}

/** Whether a name read from outside is a role of this game. */
export function isRole<V extends Variant>(variant: V, name: string): name is RoleOf<V> {
  return Object.hasOwn(games[variant].roles, name);
}

/** The address of a man's drawing. */
export function pieceUrl<V extends Variant>(
  set: SetName,
  variant: V,
  color: Color,
  role: RoleOf<V>,
): string {
  const url = URLS[fileOf(set, variant, color, role) ?? ''];
  if (!url) throw new Error(`no drawing of the ${color} ${role} of ${variant} in the set ${set}`);
  return url;
}
