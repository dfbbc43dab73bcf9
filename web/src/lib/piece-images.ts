import { isRole, isSet, pieceUrl, setsOf } from './pieces/sets';
import { menOf } from './preferences.svelte';
import type { Variant } from './variants';
import type { Color } from './api';

/** Returns the URL of a piece's image. */
export type ImageOf = (color: Color, role: string) => string;

/**
 * Returns the images of a game's pieces in the set that the visitor has chosen for it, or in the
 * given one. A set that the game does not have is replaced by its first one.
 */
export function imagesFor(variant: Variant, wanted: string = menOf(variant).current): ImageOf {
  const [first] = setsOf(variant);
  const set = isSet(variant, wanted) ? wanted : first;
  return (color, role) =>
    set !== undefined && isRole(variant, role) ? pieceUrl(set, variant, color, role) : '';
}
