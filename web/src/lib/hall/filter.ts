import type { GameSettings, TimeControl } from '../api';
import { variants } from '../variants';

export const paces = ['all', 'live', 'correspondence', 'unlimited'] as const;
export type Pace = (typeof paces)[number];

export const variantFilters = ['all', ...variants] as const;
export type VariantFilter = (typeof variantFilters)[number];

export function paceOf(control: TimeControl | undefined): Exclude<Pace, 'all'> {
  if (control === undefined || control.type === 'unlimited') return 'unlimited';
  return control.type === 'correspondence' ? 'correspondence' : 'live';
}

/** Returns true if a seek matches the filter. */
export function matchesFilter(
  settings: GameSettings,
  { variant, pace }: { variant: VariantFilter; pace: Pace },
): boolean {
  return (
    (variant === 'all' || settings.variant === variant) &&
    (pace === 'all' || paceOf(settings.timeControl) === pace)
  );
}
