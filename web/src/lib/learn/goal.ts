import type { ProblemGoal } from '../api';
import { games } from '../games';
import { t } from '../i18n/i18n.svelte';
import type { Variant } from '../variants';

/** Returns a problem's goal as a sentence. */
export function goalText(variant: Variant, goal: ProblemGoal, turns: number): string {
  if (goal === 'gain') return t('problem-gain');
  const args = { count: turns };
  return games[variant].matesOnly ? t('problem-mate', args) : t('problem-win', args);
}
