import type { InfoView } from '../analysis-types';
import { i18n, t } from '../i18n/i18n.svelte';

type Scored = Pick<InfoView, 'centipawns' | 'mate'>;

/** A score as the field writes it, White's: `+0,35`, `#3`, `#−2`. */
export function scoreText({ centipawns, mate }: Scored): string {
  if (mate !== null) return `#${mate < 0 ? '−' : ''}${Math.abs(mate)}`;
  const pawns = (centipawns ?? 0) / 100;
  const digits = new Intl.NumberFormat(i18n.language, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  }).format(Math.abs(pawns));
  return `${pawns > 0.004 ? '+' : pawns < -0.004 ? '−' : ''}${digits}`;
}

/** The same in a sentence. */
export function scoreWords(score: Scored): string {
  const { centipawns, mate } = score;
  if (mate !== null)
    return t('analysis-score-mate', { color: mate > 0 ? 'white' : 'black', count: Math.abs(mate) });
  const pawns = (centipawns ?? 0) / 100;
  const side = Math.abs(pawns) < 0.25 ? 'none' : pawns > 0 ? 'white' : 'black';
  return t('analysis-score-pawns', { side, score: scoreText(score) });
}

/** A whole number with the spaces of the language. */
export function wholeText(value: number): string {
  return new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 0 }).format(value);
}

/** A count of nodes in thousands or millions. */
export function nodesText(value: number): string {
  return new Intl.NumberFormat(i18n.language, {
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(value);
}
