/** What tests of games begin with. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Game } from '../api';
import type { Rules } from '../rules';
import { rulesOver } from '../rules-wasm';
import { initSync, PositionHandle } from '../wasm/adoube_wasm';

export const chess = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';

export function rulesForTests(): Rules {
  initSync({ module: readFileSync(join(import.meta.dirname, '../wasm/adoube_wasm_bg.wasm')) });
  return rulesOver(PositionHandle);
}

/** A game of chess between two persons, nothing played, White asking. */
export const aGame = (changes: Partial<Game> = {}): Game => ({
  id: 'aB3dE5gH7jK9',
  variant: 'chess',
  initialFen: chess,
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
