import type { GameView, PgnFile, SetupView } from '../analysis-types';
import type { Variant } from '../variants';
import { asking, fetchedOnce } from '../wasm-module';
import { loadEngineModule } from './engine-module';
import { threads } from './threads.svelte';

/** PGN and setups: what the analysis board needs in addition to the rules. */
export interface Records {
  /** The games of a PGN, broken ones with what could be read of them. A file comes as its bytes, whatever their encoding. */
  readPgn(variant: Variant, pgn: string | Uint8Array): PgnFile;
  writePgn(game: GameView): string;
  /** Reads a FEN, playable or not. */
  readSetup(variant: Variant, fen: string): SetupView;
  writeSetup(variant: Variant, setup: SetupView): string;
  /** The FEN with the other side to move; refuses if that is not a position. */
  passed(variant: Variant, fen: string): string;
}

/** The module, fetched once, in the build that the engine will use, so that one is enough. */
export const loadRecords: () => Promise<Records> = fetchedOnce(async () => {
  const { module } = await loadEngineModule(threads.current > 1);
  return {
    readPgn: (variant, pgn) => {
      const bytes = typeof pgn === 'string' ? new TextEncoder().encode(pgn) : pgn;
      return JSON.parse(asking(() => module.readPgn(variant, bytes))) as PgnFile;
    },
    writePgn: (game) => asking(() => module.writePgn(JSON.stringify(game))),
    readSetup: (variant, fen) =>
      JSON.parse(asking(() => module.readSetup(variant, fen))) as SetupView,
    writeSetup: (variant, setup) => asking(() => module.writeSetup(variant, JSON.stringify(setup))),
    passed: (variant, fen) => asking(() => module.passed(variant, fen)),
  };
});
