import type { GameView } from '../analysis-types';
import type { AnalysisDocument } from '../api';
import { RefusalError } from '../refusal';
import { isVariant } from '../variants';
import type { Records } from './module';

/**
 * Parses a saved analysis. The server has validated it, so this fails only if the page's version
 * differs from the server's.
 */
export function gameOf(records: Records, { analysis, pgn }: AnalysisDocument): GameView {
  if (!isVariant(analysis.variant)) throw new RefusalError({ code: 'unknown-variant', args: {} });
  const [first] = records.readPgn(analysis.variant, pgn).games;
  const [reason] = first?.problem?.reasons ?? [];
  if (reason) throw new RefusalError(reason);
  if (!first?.game) throw new RefusalError({ code: 'pgn-empty', args: {} });
  return first.game;
}
