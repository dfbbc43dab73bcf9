import type { ClockState, Game, LogEntry, MatchState, Millis } from '../api';
import type { PossibleActView } from '../game-types';
import type { StepView } from '../rules';
import start, { GameHandle } from '../wasm/adoube_wasm_game';
// Imported as a URL rather than left to the bindings, so that the bundler adds a content hash to
// the file name.
import address from '../wasm/adoube_wasm_game_bg.wasm?url';
import { withRefusals, loadOnce } from '../wasm-module';
import type { GameMirror, Mirrors } from './mirror';

class WasmMirror implements GameMirror {
  constructor(private readonly handle: GameHandle) {}

  after(entry: LogEntry): GameMirror {
    return new WasmMirror(withRefusals(() => this.handle.after(JSON.stringify(entry))));
  }

  withMatch(state: MatchState): GameMirror {
    return new WasmMirror(withRefusals(() => this.handle.withMatch(JSON.stringify(state))));
  }

  view(now: Millis): Game {
    return JSON.parse(this.handle.view(now)) as Game;
  }

  clock(now: Millis): ClockState | null {
    return JSON.parse(this.handle.clock(now)) as ClockState | null;
  }

  acts(now: Millis): readonly PossibleActView[] {
    return JSON.parse(this.handle.acts(now)) as PossibleActView[];
  }

  mayTouch(square: string, now: Millis): boolean {
    return this.handle.mayTouch(square, now);
  }

  allowed(soFar: string, steps: readonly StepView[]): readonly StepView[] {
    const allowed = new Set(withRefusals(() => this.handle.steps(soFar)).split(' '));
    return steps.filter(({ text }) => allowed.has(text));
  }

  play(turn: string, now: Millis): string {
    return withRefusals(() => this.handle.play(turn, now));
  }

  get conditionalAnswer(): string | null {
    return this.handle.conditionalAnswer() ?? null;
  }
}

/** Creates mirrors backed by a WebAssembly module that is already initialised. */
export function mirrorsFrom(handles: typeof GameHandle): Mirrors {
  return {
    of: (snapshot) =>
      new WasmMirror(withRefusals(() => handles.fromSnapshot(JSON.stringify(snapshot)))),
  };
}

/** Loads the module once. */
export const loadMirrors = loadOnce(async () => {
  await start({ module_or_path: address });
  return mirrorsFrom(GameHandle);
});
