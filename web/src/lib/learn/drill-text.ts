/**
 * The text of the drills. If a drill is newer than this page, the page shows the drill's identifier
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
