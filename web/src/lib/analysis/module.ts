import type { GameView, PgnFile, SetupView } from '../analysis-types';
import type { Variant } from '../variants';
import { withRefusals, loadOnce } from '../wasm-module';
import { loadEngineModule } from './engine-module';
import { threads } from './threads.svelte';

/** PGN and setups: the functions that the analysis board needs in addition to the rules. */
export interface Records {
  /**
   * Reads the first fifty games in a PGN, and as much as possible of each damaged game. Bytes may
   * be in UTF-8, UTF-16 or Windows-1252.
   */
  readPgn(variant: Variant, pgn: string | Uint8Array): PgnFile;
  writePgn(game: GameView): string;
  /** Reads a FEN, whether or not its position can be played. */
  readSetup(variant: Variant, fen: string): SetupView;
  writeSetup(variant: Variant, setup: SetupView): string;
  /** Returns the FEN with the other side to move; throws if that is not a legal position. */
  afterPassing(variant: Variant, fen: string): string;
}

type Module = Awaited<ReturnType<typeof loadEngineModule>>['module'];

/** Wraps the functions of a loaded module. */
export function recordsFrom(module: Module): Records {
  return {
    readPgn: (variant, pgn) => {
      const bytes = typeof pgn === 'string' ? new TextEncoder().encode(pgn) : pgn;
      return JSON.parse(withRefusals(() => module.readPgn(variant, bytes))) as PgnFile;
    },
    writePgn: (game) => withRefusals(() => module.writePgn(JSON.stringify(game))),
    readSetup: (variant, fen) =>
      JSON.parse(withRefusals(() => module.readSetup(variant, fen))) as SetupView,
    writeSetup: (variant, setup) =>
      withRefusals(() => module.writeSetup(variant, JSON.stringify(setup))),
    afterPassing: (variant, fen) => withRefusals(() => module.afterPassing(variant, fen)),
  };
}

/** Loads the module once. Uses the build that the engine will use, so that only one is fetched. */
export const loadRecords: () => Promise<Records> = loadOnce(async () => {
  const { module } = await loadEngineModule(threads.current > 1);
  return recordsFrom(module);
});
