/** Fixtures for tests that need games. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Game, LogEntry } from '../api';
import type { Rules } from '../rules';
import { rulesFrom } from '../rules-wasm';
import { initSync, PositionHandle } from '../wasm/adoube_wasm';
import { GameHandle, initSync as startMirrors } from '../wasm/adoube_wasm_game';
import type { Mirrors } from './mirror';
import { mirrorsFrom } from './mirror-wasm';

export const chessStart = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export function rulesForTests(): Rules {
  initSync({ module: readFileSync(join(import.meta.dirname, '../wasm/adoube_wasm_bg.wasm')) });
  return rulesFrom(PositionHandle);
}

export function mirrorsForTests(): Mirrors {
  const module = join(import.meta.dirname, '../wasm/adoube_wasm_game_bg.wasm');
  startMirrors({ module: readFileSync(module) });
  return mirrorsFrom(GameHandle);
}

/** Returns the log of a game that consists only of turns. */
function logOf(turns: readonly string[], initialFen: string): LogEntry[] {
  const whiteBegins = initialFen.split(' ')[1] !== 'b';
  return turns.map((turn, index) => {
    const color = (index % 2 === 0) === whiteBegins ? 'white' : 'black';
    return { version: index + 2, at: 0, event: { type: 'played', color, turn } };
  });
}

/** Returns a chess game between two people before its first turn, as White sees it. */
export const gameFixture = (changes: Partial<Game> = {}): Game => ({
  log: logOf(changes.turns ?? [], changes.initialFen ?? chessStart),
  id: 'aB3dE5gH7jK9',
  variant: 'chess',
  initialFen: chessStart,
  drawRules: 'club',
  turns: [],
  version: 1,
  players: { white: { type: 'person' }, black: { type: 'person' } },
  you: 'white',
  status: { type: 'playing' },
  drawOffer: null,
  createdAt: 0,
  timeControl: { type: 'unlimited' },
  firstTurnMs: null,
  clock: null,
  touchMove: false,
  touch: { squares: [], adjusting: false, obligation: null },
  casual: true,
  takeback: null,
  rematchOffer: null,
  rematch: null,
  conditions: [],
  match: null,
  at: 0,
  ...changes,
});
