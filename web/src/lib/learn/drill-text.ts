/**
 * Texts of the drills. A drill newer than this page has no texts, and its identifier is shown
 * instead.
 */
import { i18n } from '../i18n/i18n.svelte';
import type { Variant } from '../variants';

export const drillText = (
  variant: Variant,
  name: string,
  what: 'title' | 'task' | 'hint' | 'why',
): string => i18n.lookup(`drill-${variant}-${name}-${what}`) ?? name;

/** Returns the name of a group of drills. */
export const groupName = (group: string): string => i18n.lookup(`drill-group-${group}`) ?? group;
