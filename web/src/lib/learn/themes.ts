import type { Problem, ProblemTheme } from '../api';
import { games } from '../games';
import { t } from '../i18n/i18n.svelte';
import type { Variant } from '../variants';

/** A filter for problems: a theme, or the goal with its number of turns. */
export type ProblemFilter = ProblemTheme | 'gain' | `win-${number}`;

export const themeText = (theme: ProblemTheme): string => t(`problem-theme-${theme}`);

function goalOf({ goal, turns }: Problem): ProblemFilter {
  return goal === 'gain' ? 'gain' : `win-${turns}`;
}

/** Returns the number of turns of a goal; null for a filter that has none. */
function winTurns(filter: ProblemFilter): number | null {
  const turns = /^win-(\d+)$/.exec(filter)?.[1];
  return turns === undefined ? null : Number(turns);
}

export const matches = (problem: Problem, filter: ProblemFilter): boolean =>
  goalOf(problem) === filter || problem.themes.some((theme) => theme === filter);

/**
 * Returns the filters that match at least one problem, goals first, each with the number of
 * problems that it matches.
 */
export function filtersOf(problems: readonly Problem[]): ReadonlyMap<ProblemFilter, number> {
  const counts = new Map<ProblemFilter, number>();
  const add = (filter: ProblemFilter): void => {
    counts.set(filter, (counts.get(filter) ?? 0) + 1);
  };
  for (const problem of problems) for (const theme of problem.themes) add(theme);
  const themes = [...counts].sort(([, a], [, b]) => b - a);
  counts.clear();
  for (const problem of problems) add(goalOf(problem));
  const goals = [...counts].sort(([a], [b]) => (winTurns(a) ?? 0) - (winTurns(b) ?? 0));
  return new Map([...goals, ...themes]);
}

export function filterText(variant: Variant, filter: ProblemFilter): string {
  if (filter === 'gain') return t('problem-filter-gain');
  const count = winTurns(filter);
  if (count === null) return themeText(filter as ProblemTheme);
  const args = { count };
  return games[variant].matesOnly ? t('problem-filter-mate', args) : t('problem-filter-win', args);
}
