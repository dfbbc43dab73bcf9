// Written by the tests of crates/wasm. Do not edit.

/** What is fixed about each game, by its name, in the order in which games are listed. */
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
    /** The starts with a name of their own, by the numbers of both first ranks. */
    starts: {},
    /** The role that must not be left in check, if one must not. */
    royal: 'king',
    /** Whether a written turn names every man, and lists what it takes on the way. */
    sanListsTaken: false,
    /** The first game with the same men: those who draw them draw them once. */
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
    /** The starts with a name of their own, by the numbers of both first ranks. */
    starts: {
      'kings-facing': { white: 6412, black: 5348 },
    },
    /** The role that must not be left in check, if one must not. */
    royal: 'king',
    /** Whether a written turn names every man, and lists what it takes on the way. */
    sanListsTaken: true,
    /** The first game with the same men: those who draw them draw them once. */
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
    /** The starts with a name of their own, by the numbers of both first ranks. */
    starts: {},
    /** The role that must not be left in check, if one must not. */
    royal: null,
    /** Whether a written turn names every man, and lists what it takes on the way. */
    sanListsTaken: true,
    /** The first game with the same men: those who draw them draw them once. */
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
    /** The starts with a name of their own, by the numbers of both first ranks. */
    starts: {},
    /** The role that must not be left in check, if one must not. */
    royal: 'king',
    /** Whether a written turn names every man, and lists what it takes on the way. */
    sanListsTaken: true,
    /** The first game with the same men: those who draw them draw them once. */
    men: 'baroque',
  },
} as const;
