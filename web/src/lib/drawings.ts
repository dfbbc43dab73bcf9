import { isRole, isSet, pieceUrl, setsOf } from './pieces/sets';
import type { Variant } from './variants';
import type { Color } from './api';

/** Where the drawing of a man is. */
export type DrawingOf = (color: Color, role: string) => string;

/** The drawings of a game in the set wanted, or in its first one if it lacks that set. */
export function drawingsFor(variant: Variant, wanted: string): DrawingOf {
  const [first] = setsOf(variant);
  const set = isSet(variant, wanted) ? wanted : first;
  return (color, role) =>
    set !== undefined && isRole(variant, role) ? pieceUrl(set, variant, color, role) : '';
}
