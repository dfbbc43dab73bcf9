/** The men as drawings: which sets each game offers, and where a man's drawing is. */

/** The roles of each game, by the names the rules give them. */
const ROLES = {
  chess: ['king', 'queen', 'rook', 'bishop', 'knight', 'pawn'],
  baroque: [
    'king',
    'withdrawer',
    'coordinator',
    'chameleon',
    'long-leaper',
    'immobilizer',
    'pincer-pawn',
  ],
  interweave: ['king', 'smasher', 'remover', 'leaper', 'pawn'],
} as const;

export type Color = 'white' | 'black';
export type Variant = keyof typeof ROLES;
export type RoleOf<V extends Variant> = (typeof ROLES)[V][number];

/** The drawings of the classic set: six orthodox men, and the rook upside down. */
type ClassicMan = RoleOf<'chess'> | 'immobilizer';

/** For every role of a game, the drawing that stands for it. */
type Drawings<V extends Variant, D extends string> = Readonly<Record<RoleOf<V>, D>>;

/**
 * Baroque and Interweave are traditionally played with orthodox men: the classic set gives each
 * role the man whose letter it bears.
 */
const SETS = {
  chess: {
    classic: {
      king: 'classic/king',
      queen: 'classic/queen',
      rook: 'classic/rook',
      bishop: 'classic/bishop',
      knight: 'classic/knight',
      pawn: 'classic/pawn',
    },
  },
  baroque: {
    classic: {
      king: 'classic/king',
      withdrawer: 'classic/queen',
      coordinator: 'classic/rook',
      chameleon: 'classic/bishop',
      'long-leaper': 'classic/knight',
      immobilizer: 'classic/immobilizer',
      'pincer-pawn': 'classic/pawn',
    },
    mechanism: {
      king: 'mechanism/baroque/king',
      withdrawer: 'mechanism/baroque/withdrawer',
      coordinator: 'mechanism/baroque/coordinator',
      chameleon: 'mechanism/baroque/chameleon',
      'long-leaper': 'mechanism/baroque/long-leaper',
      immobilizer: 'mechanism/baroque/immobilizer',
      'pincer-pawn': 'mechanism/baroque/pincer-pawn',
    },
  },
  interweave: {
    classic: {
      king: 'classic/king',
      smasher: 'classic/rook',
      remover: 'classic/bishop',
      leaper: 'classic/knight',
      pawn: 'classic/pawn',
    },
    mechanism: {
      king: 'mechanism/interweave/king',
      smasher: 'mechanism/interweave/smasher',
      remover: 'mechanism/interweave/remover',
      leaper: 'mechanism/interweave/leaper',
      pawn: 'mechanism/interweave/pawn',
    },
  },
} as const satisfies {
  [V in Variant]: {
    classic: Drawings<V, `classic/${ClassicMan}`>;
    mechanism?: Drawings<V, `mechanism/${V}/${RoleOf<V>}`>;
  };
};

/** The sets a game offers. */
export type SetOf<V extends Variant> = keyof (typeof SETS)[V] & string;

// Files of their own, never `data:` addresses: the page's content policy need not let those in.
const URLS: Readonly<Record<string, string>> = import.meta.glob<string>('./**/*.svg', {
  eager: true,
  query: '?url&no-inline',
  import: 'default',
});

/** The roles of a game. */
export function rolesOf<V extends Variant>(variant: V): readonly RoleOf<V>[] {
  return ROLES[variant];
}

/** The sets a game offers, the one to begin with first. */
export function setsOf<V extends Variant>(variant: V): readonly SetOf<V>[] {
  return Object.keys(SETS[variant]) as SetOf<V>[];
}

/** Whether a name read from outside (a setting kept by the browser, say) is a set of this game. */
export function isSet<V extends Variant>(variant: V, name: string): name is SetOf<V> {
  return Object.hasOwn(SETS[variant], name);
}

/** Whether a name read from outside is a role of this game. */
export function isRole<V extends Variant>(variant: V, name: string): name is RoleOf<V> {
  return (ROLES[variant] as readonly string[]).includes(name);
}

/** The address of a man's drawing. */
export function pieceUrl<V extends Variant>(
  set: SetOf<V>,
  variant: V,
  color: Color,
  role: RoleOf<V>,
): string {
  const sets: Readonly<Record<string, Readonly<Record<string, string>>>> = SETS[variant];
  const drawing = sets[set]?.[role];
  // `classic/king` is drawn twice: `classic/white-king.svg` and `classic/black-king.svg`.
  const url = drawing && URLS[`./${drawing.replace(/[^/]+$/, `${color}-$&`)}.svg`];
  if (!url) throw new Error(`no drawing of the ${color} ${role} of ${variant} in the set ${set}`);
  return url;
}
