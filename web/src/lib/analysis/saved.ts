/** API calls for the analyses saved in the account. */
import type { AnalysisDocument, AnalysisList, SavedAnalysis } from '../api';
import { requestVoid, json, withBody } from '../http';
import { withBase } from '../routing/base-path';

const path = (id: string): string => `/api/analyses/${encodeURIComponent(id)}`;

/** URL for downloading all saved analyses as one PGN file. */
export const allPgnPath = withBase('/api/analyses/pgn');

export const listAnalyses = (): Promise<AnalysisList> => json('/api/analyses');

export const readAnalysis = (id: string): Promise<AnalysisDocument> => json(path(id));

/** Saves a new analysis, but only once if the request is repeated with the same command id. */
export const saveAnalysis = (command: string, name: string, pgn: string): Promise<SavedAnalysis> =>
  json('/api/analyses', withBody('POST', { command, name, pgn }));

/**
 * Updates an analysis if its current version is the given one; otherwise fails with
 * `analysis-changed`.
 */
export const changeAnalysis = (
  id: string,
  version: number,
  change: { readonly name?: string; readonly pgn?: string },
): Promise<SavedAnalysis> => json(path(id), withBody('PATCH', { version, ...change }));

export const deleteAnalysis = (id: string): Promise<void> =>
  requestVoid(path(id), { method: 'DELETE' });
