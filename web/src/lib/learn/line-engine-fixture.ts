/** An engine for tests, which always gives the same line. */
import type { AnswerView, SearchRequest } from '../analysis-types';
import type { Problem } from '../api';
import type { LineEngine } from './engine-line';

const values = { pawn: 100, knight: 320, bishop: 335, rook: 500, queen: 980, king: 0 };

export interface FixedEngine extends LineEngine {
  readonly requests: readonly SearchRequest[];
  isClosed: boolean;
}

/** `centipawns` is White's score. */
export function fixedEngine(line: readonly string[], centipawns: number): FixedEngine {
  const requests: SearchRequest[] = [];
  const answer: AnswerView = {
    best: {
      depth: 9,
      selectiveDepth: 9,
      line: 1,
      centipawns,
      mate: null,
      expected: 0.5,
      bound: null,
      nodes: 1000,
      threads: 1,
      elapsedMs: 1,
      pv: line.map((text) => ({ text, san: text })),
    },
    points: null,
    values,
  };
  return {
    requests,
    isClosed: false,
    search(request) {
      requests.push(request);
      return Promise.resolve(answer);
    },
    close() {
      this.isClosed = true;
    },
  };
}

/** The opponent has captured a bishop; the knight forks king and rook. */
export const fork: Problem = {
  id: 'b',
  fen: 'r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1',
  goal: 'gain',
  turns: 1,
  line: ['b5c7'],
  rating: 800,
  before: { fen: 'r3Bk2/8/8/1N6/8/8/8/4K3 b - - 0 1', turn: 'f8e8' },
  themes: [],
  retired: false,
};

/** How play continues after the fork: the rook is won, and two quiet turns follow. */
export const afterFork = ['e8d7', 'c7a8', 'd7c6', 'e1e2'] as const;
