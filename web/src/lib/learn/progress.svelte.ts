import { Persisted } from '../persisted.svelte';
import { variants, type Variant } from '../variants';

const read = (text: string | null): ReadonlySet<string> =>
  new Set((text ?? '').split(' ').filter((name) => name !== ''));

/** Names of the solved drills of each game, stored in the browser. */
const solved = Object.fromEntries(
  variants.map((variant) => [
    variant,
    new Persisted<ReadonlySet<string>>(`drills.${variant}`, read, (names) => [...names].join(' ')),
  ]),
) as Record<Variant, Persisted<ReadonlySet<string>>>;

export const isSolved = (variant: Variant, name: string): boolean =>
  solved[variant].current.has(name);

export function markSolved(variant: Variant, name: string): void {
  const names = solved[variant].current;
  if (!names.has(name)) solved[variant].current = new Set([...names, name]);
}

/** Returns the first unsolved drill; the optional ones come after all others. */
export function nextDrill<D extends { name: string; optional: boolean }>(
  variant: Variant,
  drills: readonly D[],
): D | undefined {
  const unsolved = drills.filter(({ name }) => !isSolved(variant, name));
  return unsolved.find(({ optional }) => !optional) ?? unsolved[0];
}
