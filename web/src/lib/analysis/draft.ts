import type { GameView } from '../analysis-types';
import { writeStored, readStored } from '../storage';
import type { Variant } from '../variants';

/** An analysis stored in the browser, so that it is not lost when the page is closed. */
export interface Draft {
  readonly game: GameView;
  /** Child indices from the root to the current node. */
  readonly at: readonly number[];
  /** Id of the game on this site that the analysis started from, or null. */
  readonly of: string | null;
  /**
   * The saved analysis that this is a draft of, and whether the draft has unsaved changes; null if
   * the analysis was never saved.
   */
  readonly saved: (SavedReference & { readonly isChanged: boolean }) | null;
}

/** Reference to an analysis saved in the account. */
export interface SavedReference {
  readonly id: string;
  readonly name: string;
  /** Version that the next save is based on. */
  readonly version: number;
}

/** Returns the storage key of the current or the previous draft of a game. */
const nameOf = (variant: Variant, slot: 'now' | 'before'): string =>
  slot === 'now' ? `analysis.${variant}` : `analysis.${variant}.before`;

export function readDraft(variant: Variant, slot: 'now' | 'before' = 'now'): Draft | null {
  try {
    const draft: unknown = JSON.parse(readStored(nameOf(variant, slot)) ?? 'null');
    if (!isDraft(draft) || draft.game.variant !== variant) return null;
    return { ...draft, saved: savedOf(draft.saved) };
  } catch {
    return null;
  }
}

export function writeDraft(variant: Variant, draft: Draft, slot: 'now' | 'before' = 'now'): void {
  writeStored(nameOf(variant, slot), JSON.stringify(draft));
}

/** Parses a draft's reference to its saved analysis; null if invalid or, as in old drafts, absent. */
function savedOf(value: unknown): Draft['saved'] {
  if (typeof value !== 'object' || value === null) return null;
  const { id, name, version, isChanged } = value as Partial<Record<string, unknown>>;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof version !== 'number')
    return null;
  return { id, name, version, isChanged: isChanged !== false };
}

/** Checks the shape of a draft. Its game is checked when it is parsed. */
function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  if (!('game' in value && 'at' in value && Array.isArray(value.at))) return false;
  const { game } = value;
  return typeof game === 'object' && game !== null && 'main' in game && 'fen' in game;
}
