import type { GameView } from '../analysis-types';
import { keep, kept } from '../storage';
import type { Variant } from '../variants';

/** What the browser keeps of an analysis, so that nothing is lost when the page goes. */
export interface Draft {
  readonly game: GameView;
  /** Child indices from the root to the node that was looked at. */
  readonly at: readonly number[];
  /** The game of this site that it began with; null for none. */
  readonly of: string | null;
}

/** One draft for each game, and the one before it. */
const nameOf = (variant: Variant, which: 'now' | 'before'): string =>
  which === 'now' ? `analysis.${variant}` : `analysis.${variant}.before`;

export function readDraft(variant: Variant, which: 'now' | 'before' = 'now'): Draft | null {
  try {
    const draft: unknown = JSON.parse(kept(nameOf(variant, which)) ?? 'null');
    return isDraft(draft) && draft.game.variant === variant ? draft : null;
  } catch {
    return null;
  }
}

export function keepDraft(variant: Variant, draft: Draft, which: 'now' | 'before' = 'now'): void {
  keep(nameOf(variant, which), JSON.stringify(draft));
}

/** Something that looks like a draft; what is in the game is looked at by who reads it. */
function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  if (!('game' in value && 'at' in value && Array.isArray(value.at))) return false;
  const { game } = value;
  return typeof game === 'object' && game !== null && 'main' in game && 'fen' in game;
}
