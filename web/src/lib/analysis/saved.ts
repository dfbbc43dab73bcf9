/** The analyses that an account keeps. */
import type { AnalysisDocument, AnalysisList, SavedAnalysis } from '../api';
import { done, json, withBody } from '../http';

const path = (id: string): string => `/api/analyses/${encodeURIComponent(id)}`;

/** All of them as one PGN: an address to download. */
export const allPgnPath = '/api/analyses/pgn';

export const listAnalyses = (): Promise<AnalysisList> => json('/api/analyses');

export const readAnalysis = (id: string): Promise<AnalysisDocument> => json(path(id));

/** Keeps a new one; the same command twice keeps one. */
export const saveAnalysis = (command: string, name: string, pgn: string): Promise<SavedAnalysis> =>
  json('/api/analyses', withBody('POST', { command, name, pgn }));

/** Changes one, if its version is still the one given; otherwise refuses with `analysis-changed`. */
export const changeAnalysis = (
  id: string,
  version: number,
  change: { readonly name?: string; readonly pgn?: string },
): Promise<SavedAnalysis> => json(path(id), withBody('PATCH', { version, ...change }));

export const deleteAnalysis = (id: string): Promise<void> => done(path(id), { method: 'DELETE' });
