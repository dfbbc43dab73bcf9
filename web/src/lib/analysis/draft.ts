import type { GameView } from '../analysis-types';
import { keep, kept } from '../storage';
import type { Variant } from '../variants';

/** An analysis as the browser keeps it, so that nothing is lost when the page is left. */
export interface Draft {
  readonly game: GameView;
  /** Child indices from the root to the node that was looked at. */
  readonly at: readonly number[];
  /** The game of this site that it began with; null for none. */
  readonly of: string | null;
  /** The analysis of the account that it is, and whether it has changed since it was saved; null for none. */
  readonly saved: (Saved & { readonly isChanged: boolean }) | null;
}

/** An analysis that an account keeps, as the page knows it. */
export interface Saved {
  readonly id: string;
  readonly name: string;
  /** The version that the next change is based on. */
  readonly version: number;
}

/** One draft for each game, and the one before it. */
const nameOf = (variant: Variant, which: 'now' | 'before'): string =>
  which === 'now' ? `analysis.${variant}` : `analysis.${variant}.before`;

export function readDraft(variant: Variant, which: 'now' | 'before' = 'now'): Draft | null {
  try {
    const draft: unknown = JSON.parse(kept(nameOf(variant, which)) ?? 'null');
    if (!isDraft(draft) || draft.game.variant !== variant) return null;
    return { ...draft, saved: savedOf(draft.saved) };
  } catch {
    return null;
  }
}

export function keepDraft(variant: Variant, draft: Draft, which: 'now' | 'before' = 'now'): void {
  keep(nameOf(variant, which), JSON.stringify(draft));
}

/** The analysis of the account that a draft belongs to; null if it cannot be read or is older than accounts. */
function savedOf(value: unknown): Draft['saved'] {
  if (typeof value !== 'object' || value === null) return null;
  const { id, name, version, isChanged } = value as Partial<Record<string, unknown>>;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof version !== 'number')
    return null;
  return { id, name, version, isChanged: isChanged !== false };
}

/** A value with the shape of a draft; its game is checked when it is read. */
function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  if (!('game' in value && 'at' in value && Array.isArray(value.at))) return false;
  const { game } = value;
  return typeof game === 'object' && game !== null && 'main' in game && 'fen' in game;
}
