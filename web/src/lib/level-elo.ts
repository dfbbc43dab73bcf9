import type { Variant } from './variants';
import { games } from './games';
import { t } from './i18n/i18n.svelte';
import type { Level } from './levels';

/** Returns the measured strength of a level in words; null if it has not been measured. */
export function levelElo(variant: Variant, level: Level): string | null {
  const measured = games[variant].levelElo[level - 1];
  if (!measured) return null;
  const elo = String(measured.elo);
  if (measured.kind === 'rating') return t('level-elo-rating', { elo });
  return t(`level-elo-${measured.kind}`, { elo, below: level - 1 });
}

/**
 * Returns the strength of a level for a player who has just played an adjacent one, in a few
 * characters: its rating or the difference. Null if neither has been measured exactly.
 */
export function shortLevelElo(variant: Variant, played: Level, level: Level): string | null {
  const elo = games[variant].levelElo;
  const rating = elo[level - 1];
  if (rating?.kind === 'rating') return t('level-elo-short', { elo: String(rating.elo) });
  const step = elo[Math.max(played, level) - 1];
  if (step?.kind !== 'above') return null;
  return t(level > played ? 'level-elo-more' : 'level-elo-less', { elo: String(step.elo) });
}
