import { games } from './games';

export type Variant = keyof typeof games;

/** The kind of a man, of whatever game. */
export type Role = { [V in Variant]: keyof (typeof games)[V]['roles'] }[Variant];

/** The games that this page can show, in the order of the home page. */
export const variants = Object.keys(games) as readonly string[] as readonly [Variant, ...Variant[]];

/** The game that is offered where none was chosen yet. */
export const [usualVariant] = variants;

export function isVariant(text: string): text is Variant {
  return Object.hasOwn(games, text);
}
