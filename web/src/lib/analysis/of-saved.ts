import type { GameView } from '../analysis-types';
import type { AnalysisDocument } from '../api';
import { RefusalError } from '../refusal';
import { isVariant } from '../variants';
import type { Records } from './module';

/** The game of an analysis of the account; the server has read it before, so that only another version of the page refuses it. */
export function gameOf(records: Records, { analysis, pgn }: AnalysisDocument): GameView {
  if (!isVariant(analysis.variant)) throw new RefusalError({ code: 'unknown-variant', args: {} });
  const [first] = records.readPgn(analysis.variant, pgn).games;
  const [reason] = first?.problem?.reasons ?? [];
  if (reason) throw new RefusalError(reason);
  if (!first?.game) throw new RefusalError({ code: 'pgn-empty', args: {} });
  return first.game;
}
