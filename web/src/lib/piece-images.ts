import { isRole, isSet, pieceUrl, setsOf } from './pieces/sets';
import type { Variant } from './variants';
import type { Color } from './api';

/** Returns the URL of a piece's image. */
export type ImageOf = (color: Color, role: string) => string;

/** Returns the images of a game's pieces in the given set, or in the game's first set if it does not have that one. */
export function imagesFor(variant: Variant, wanted: string): ImageOf {
  const [first] = setsOf(variant);
  const set = isSet(variant, wanted) ? wanted : first;
  return (color, role) =>
    set !== undefined && isRole(variant, role) ? pieceUrl(set, variant, color, role) : '';
}
