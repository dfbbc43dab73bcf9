import { i18n } from './i18n.svelte';

/**
 * Sorts by name in the order of the visitor's language: É next to E, not after Z, and 2 before 10.
 */
export function sortedByName<T>(items: readonly T[], nameOf: (item: T) => string): T[] {
  const collator = new Intl.Collator(i18n.language, { numeric: true });
  return [...items].sort((one, other) => collator.compare(nameOf(one), nameOf(other)));
}
