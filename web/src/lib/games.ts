// Written by the tests of crates/wasm. Do not edit.

/** Facts about each game, by name, in the order in which games are listed. */
export const games = {
  chess: {
    /** The roles with their letters, in the order of the rules. */
    roles: {
      'pawn': 'P',
      'knight': 'N',
      'bishop': 'B',
      'rook': 'R',
      'queen': 'Q',
      'king': 'K',
    },
    /** Named starts: the numbers of both sides' shuffled ranks. */
    starts: {},
    /** Whether the only way to win on the board is checkmate. */
    matesOnly: true,
    /** Whether SAN names pawns and lists men taken elsewhere than on the destination. */
    sanListsTaken: false,
    /** The first game with the same men, whose drawings this game shares. */
    men: 'chess',
    /** A position and a turn that show at a glance what is special about the game; null if there is none. */
    firstLook: null,
    /** The strength of each level of the machine in Elo, measured in matches; null if unknown. */
    levelElo: [
      null,
      { kind: 'above', elo: 200 },
      { kind: 'above', elo: 207 },
      { kind: 'above', elo: 211 },
      { kind: 'rating', elo: 1550 },
      { kind: 'rating', elo: 1700 },
      { kind: 'rating', elo: 1900 },
      { kind: 'rating', elo: 1950 },
      { kind: 'rating', elo: 2050 },
      { kind: 'above-at-least', elo: 183 },
    ],
  },
  baroque: {
    /** The roles with their letters, in the order of the rules. */
    roles: {
      'pincer-pawn': 'P',
      'long-leaper': 'N',
      'chameleon': 'B',
      'coordinator': 'R',
      'withdrawer': 'Q',
      'king': 'K',
      'immobilizer': 'M',
    },
    /** Named starts: the numbers of both sides' shuffled ranks. */
    starts: {
      'kings-facing': { white: 6412, black: 5348 },
    },
    /** Whether the only way to win on the board is checkmate. */
    matesOnly: true,
    /** Whether SAN names pawns and lists men taken elsewhere than on the destination. */
    sanListsTaken: true,
    /** The first game with the same men, whose drawings this game shares. */
    men: 'baroque',
    /** A position and a turn that show at a glance what is special about the game; null if there is none. */
    firstLook: {
      fen: '7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1',
      turn: 'c2c4',
    },
    /** The strength of each level of the machine in Elo, measured in matches; null if unknown. */
    levelElo: [
      null,
      { kind: 'above', elo: 183 },
      { kind: 'above', elo: 179 },
      { kind: 'above', elo: 209 },
      { kind: 'above', elo: 191 },
      { kind: 'above', elo: 152 },
      { kind: 'above', elo: 220 },
      { kind: 'above', elo: 196 },
      { kind: 'above', elo: 224 },
      { kind: 'above-at-least', elo: 183 },
    ],
  },
  interweave: {
    /** The roles with their letters, in the order of the rules. */
    roles: {
      'pawn': 'P',
      'leaper': 'N',
      'remover': 'B',
      'smasher': 'R',
      'king': 'K',
    },
    /** Named starts: the numbers of both sides' shuffled ranks. */
    starts: {},
    /** Whether the only way to win on the board is checkmate. */
    matesOnly: false,
    /** Whether SAN names pawns and lists men taken elsewhere than on the destination. */
    sanListsTaken: true,
    /** The first game with the same men, whose drawings this game shares. */
    men: 'interweave',
    /** A position and a turn that show at a glance what is special about the game; null if there is none. */
    firstLook: {
      fen: 'k7/k7/8/4p3/4Bp2/8/8/6KK[] w - - 0 1',
      turn: 'e4e4',
    },
    /** The strength of each level of the machine in Elo, measured in matches; null if unknown. */
    levelElo: [
      null,
      { kind: 'above', elo: 177 },
      { kind: 'above', elo: 205 },
      { kind: 'above', elo: 184 },
      { kind: 'above', elo: 196 },
      { kind: 'above', elo: 181 },
      { kind: 'above', elo: 147 },
      { kind: 'above', elo: 157 },
      { kind: 'above', elo: 179 },
      { kind: 'above-at-least', elo: 183 },
    ],
  },
  ultima: {
    /** The roles with their letters, in the order of the rules. */
    roles: {
      'pincer-pawn': 'P',
      'long-leaper': 'N',
      'chameleon': 'B',
      'coordinator': 'R',
      'withdrawer': 'Q',
      'king': 'K',
      'immobilizer': 'M',
    },
    /** Named starts: the numbers of both sides' shuffled ranks. */
    starts: {},
    /** Whether the only way to win on the board is checkmate. */
    matesOnly: false,
    /** Whether SAN names pawns and lists men taken elsewhere than on the destination. */
    sanListsTaken: true,
    /** The first game with the same men, whose drawings this game shares. */
    men: 'baroque',
    /** A position and a turn that show at a glance what is special about the game; null if there is none. */
    firstLook: {
      fen: '7k/5ppp/2N5/2n5/3rB3/8/PPP5/K7 w - - 0 1',
      turn: 'c2c4',
    },
    /** The strength of each level of the machine in Elo, measured in matches; null if unknown. */
    levelElo: [
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
    ],
  },
} as const;
