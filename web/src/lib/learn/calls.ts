/** What the pages of drills and problems ask of the server. */
import type { DrillList, ProblemList } from '../api';
import { json } from '../http';
import { i18n } from '../i18n/i18n.svelte';
import type { Part } from '../i18n/parts';
import { RefusalError } from '../refusal';
import type { Variant } from '../variants';

export const readDrills = (variant: Variant): Promise<DrillList> => json(`/api/drills/${variant}`);

export const readProblems = (variant: Variant): Promise<ProblemList> =>
  json(`/api/problems/${variant}`);

/** The words of these pages; that they did not come is a failure of the network. */
export async function needWords(part: Part): Promise<void> {
  try {
    await i18n.need(part);
  } catch {
    throw new RefusalError({ code: 'network', args: {} });
  }
}
