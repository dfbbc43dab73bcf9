// Written by the tests of crates/wasm. Do not edit.

/** The facts about each game, by name, in the order of the list of games. */
export const games = {
  chess: {
    /** The roles with their letters, as the rules number them. */
    roles: {
      'pawn': 'P',
      'knight': 'N',
      'bishop': 'B',
      'rook': 'R',
      'queen': 'Q',
      'king': 'K',
    },
    /** The starts that have a name, with the numbers of both first ranks. */
    starts: {},
    /** Whether the only way to win on the board is checkmate. */
    matesOnly: true,
    /** Whether SAN names every moving man and lists the men taken in passing. */
    sanListsTaken: false,
    /** The first game with the same men, whose drawings this game shares. */
    men: 'chess',
  },
  baroque: {
    /** The roles with their letters, as the rules number them. */
    roles: {
      'pincer-pawn': 'P',
      'long-leaper': 'N',
      'chameleon': 'B',
      'coordinator': 'R',
      'withdrawer': 'Q',
      'king': 'K',
      'immobilizer': 'M',
    },
    /** The starts that have a name, with the numbers of both first ranks. */
    starts: {
      'kings-facing': { white: 6412, black: 5348 },
    },
    /** Whether the only way to win on the board is checkmate. */
    matesOnly: true,
    /** Whether SAN names every moving man and lists the men taken in passing. */
    sanListsTaken: true,
    /** The first game with the same men, whose drawings this game shares. */
    men: 'baroque',
  },
  interweave: {
    /** The roles with their letters, as the rules number them. */
    roles: {
      'pawn': 'P',
      'leaper': 'N',
      'remover': 'B',
      'smasher': 'R',
      'king': 'K',
    },
    /** The starts that have a name, with the numbers of both first ranks. */
    starts: {},
    /** Whether the only way to win on the board is checkmate. */
    matesOnly: false,
    /** Whether SAN names every moving man and lists the men taken in passing. */
    sanListsTaken: true,
    /** The first game with the same men, whose drawings this game shares. */
    men: 'interweave',
  },
  ultima: {
    /** The roles with their letters, as the rules number them. */
    roles: {
      'pincer-pawn': 'P',
      'long-leaper': 'N',
      'chameleon': 'B',
      'coordinator': 'R',
      'withdrawer': 'Q',
      'king': 'K',
      'immobilizer': 'M',
    },
    /** The starts that have a name, with the numbers of both first ranks. */
    starts: {},
    /** Whether the only way to win on the board is checkmate. */
    matesOnly: false,
    /** Whether SAN names every moving man and lists the men taken in passing. */
    sanListsTaken: true,
    /** The first game with the same men, whose drawings this game shares. */
    men: 'baroque',
  },
} as const;
