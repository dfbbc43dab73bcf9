/** HTTP requests for the drill and problem pages. */
import type {
  ComposedList,
  ComposedProblem,
  Composition,
  DrillList,
  ProblemList,
  ProofReport,
  PublishedProblem,
  PublishProblem,
} from '../api';
import type DrillPanel from '../components/learn/DrillPanel.svelte';
import { fetchFailure } from '../fetch-failure';
import { requestVoid, json, withBody } from '../http';
import { i18n } from '../i18n/i18n.svelte';
import type { Part } from '../i18n/parts';
import { RefusalError } from '../refusal';
import type { Variant } from '../variants';

export const readDrills = (variant: Variant): Promise<DrillList> => json(`/api/drills/${variant}`);

export const readProblems = (variant: Variant): Promise<ProblemList> =>
  json(`/api/problems/${variant}`);

const composedListPath = (variant: Variant): string => `/api/problems/${variant}/composed`;

const composedPath = (variant: Variant, id: string): string =>
  `${composedListPath(variant)}/${encodeURIComponent(id)}`;

/** Fetches problems composed by visitors, newest first. */
export const listComposed = (variant: Variant, cursor: string | null): Promise<ComposedList> =>
  json(
    cursor === null
      ? composedListPath(variant)
      : `${composedListPath(variant)}?cursor=${encodeURIComponent(cursor)}`,
  );

export const readComposed = (variant: Variant, id: string): Promise<ComposedProblem> =>
  json(composedPath(variant, id));

export const withdrawComposed = (variant: Variant, id: string): Promise<void> =>
  requestVoid(composedPath(variant, id), withBody('DELETE'));

/** Timeout in milliseconds for a request that needs a proof, including the wait for it to start. */
const proofMs = 20_000;

/** Requests a proof of a composition from the server; the signal cancels the request. */
export const proveComposition = (
  variant: Variant,
  composition: Composition,
  signal: AbortSignal,
): Promise<ProofReport> =>
  json(`/api/problems/${variant}/proof`, {
    ...withBody('POST', composition),
    signal: AbortSignal.any([signal, AbortSignal.timeout(proofMs)]),
  });

export const publishProblem = (
  variant: Variant,
  problem: PublishProblem,
): Promise<PublishedProblem> =>
  json(composedListPath(variant), {
    ...withBody('POST', problem),
    signal: AbortSignal.timeout(proofMs),
  });

/** Loads one part of the messages. A failure becomes a refusal that the page can show. */
export async function loadMessages(part: Part): Promise<void> {
  try {
    await i18n.need(part);
  } catch {
    throw new RefusalError(await fetchFailure());
  }
}

/** Loads the component that shows a drill and checks answers. */
export async function loadDrillPanel(): Promise<typeof DrillPanel> {
  try {
    return (await import('../components/learn/DrillPanel.svelte')).default;
  } catch {
    throw new RefusalError(await fetchFailure());
  }
}
