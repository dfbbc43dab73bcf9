import { games } from './games';

export type Variant = keyof typeof games;

/** A kind of piece, in any game. */
export type Role = { [V in Variant]: keyof (typeof games)[V]['roles'] }[Variant];

/** The games that this page supports, in the order of the home page. */
export const variants = Object.keys(games) as readonly string[] as readonly [Variant, ...Variant[]];

/** The game offered until one has been chosen. */
export const [defaultVariant] = variants;

/** The game whose rule page has the clauses that apply to every game, such as touch-move. */
export const generalRulesVariant = defaultVariant;

export function isVariant(text: string): text is Variant {
  return Object.hasOwn(games, text);
}
