import type { InfoView } from '../analysis-types';
import { i18n, t } from '../i18n/i18n.svelte';

type Score = Pick<InfoView, 'centipawns' | 'mate'>;

/** Formats a score from White's point of view, such as `+0,35`, `#3` or `#−2`. */
export function scoreText({ centipawns, mate }: Score): string {
  if (mate !== null) return `#${mate < 0 ? '−' : ''}${Math.abs(mate)}`;
  const pawns = (centipawns ?? 0) / 100;
  const digits = new Intl.NumberFormat(i18n.language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(Math.abs(pawns));
  return `${pawns > 0.004 ? '+' : pawns < -0.004 ? '−' : ''}${digits}`;
}

/** Describes a score in words. */
export function scoreDescription(score: Score): string {
  const { centipawns, mate } = score;
  if (mate !== null)
    return t('analysis-score-mate', { color: mate > 0 ? 'white' : 'black', count: Math.abs(mate) });
  const pawns = (centipawns ?? 0) / 100;
  const side = Math.abs(pawns) < 0.25 ? 'none' : pawns > 0 ? 'white' : 'black';
  return t('analysis-score-pawns', { side, score: scoreText(score) });
}

/** Formats an integer with the current language's thousands separator. */
export function integerText(value: number): string {
  return new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 0 }).format(value);
}

/** Formats a node count in short form, such as `1.2M`. */
export function nodesText(value: number): string {
  return new Intl.NumberFormat(i18n.language, {
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(value);
}
