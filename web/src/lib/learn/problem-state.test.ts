import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Problem } from '../api';
import { rulesFrom } from '../rules-wasm';
import { PositionHandle, initSync } from '../wasm/adoube_wasm';
import { afterFork, fixedEngine, fork, type FixedEngine } from './line-engine-fixture';
import { ProblemState } from './problem-state.svelte';

initSync({ module: readFileSync(join(import.meta.dirname, '../wasm/adoube_wasm_bg.wasm')) });
const rules = rulesFrom(PositionHandle);

/** Two rooks mate on the last rank. */
const ladder: Problem = {
  id: 'a',
  fen: '7k/8/R7/1R6/8/8/8/6K1 w - - 0 1',
  goal: 'win',
  turns: 2,
  line: ['b5b7', 'h8g8', 'a6a8'],
  rating: 800,
  before: { fen: '6k1/8/R7/1R6/8/8/8/6K1 b - - 0 1', turn: 'g8h8' },
  themes: ['mate', 'quiet-key'],
  retired: false,
};

const board = (attempt: ProblemState): string =>
  attempt.position.view.fen.split(' ').slice(0, 2).join(' ');

describe('a problem with a preceding turn', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function startProblem(problem: Problem = ladder): { attempt: ProblemState; results: boolean[] } {
    const results: boolean[] = [];
    const attempt = new ProblemState(rules, 'chess', problem, (solved) => results.push(solved));
    return { attempt, results };
  }

  it('starts with that turn, and then lets the solver play', () => {
    const { attempt } = startProblem();
    expect([attempt.stage, attempt.canMove, board(attempt)]).toEqual([
      'scene',
      false,
      '6k1/8/R7/1R6/8/8/8/6K1 b',
    ]);
    vi.runAllTimers();
    expect([attempt.stage, attempt.canMove, board(attempt)]).toEqual([
      'open',
      true,
      '7k/8/R7/1R6/8/8/8/6K1 w',
    ]);
    expect(attempt.lastMove).toEqual(['g8', 'h8']);
    expect(attempt.isTouched).toBe(false);
  });

  it('lets the solver play at once if that turn is not known', () => {
    const { attempt } = startProblem({ ...ladder, before: null });
    expect([attempt.stage, attempt.sceneText]).toEqual(['open', null]);
  });

  it('can be stepped through once it is solved', () => {
    const { attempt, results } = startProblem();
    vi.runAllTimers();
    attempt.play('b5b7');
    vi.runAllTimers();
    attempt.play('a6a8');
    expect([attempt.stage, attempt.isOver, results]).toEqual(['right', true, [true]]);
    expect(attempt.solution.map(({ text }) => text)).toEqual(ladder.line);
    expect(attempt.ply).toBe(3);
    attempt.goTo(1);
    expect(board(attempt)).toBe('7k/1R6/R7/8/8/8/8/6K1 b');
    expect(attempt.lastMove).toEqual(['b5', 'b7']);
    attempt.goTo(0);
    expect(board(attempt)).toBe('7k/8/R7/1R6/8/8/8/6K1 w');
    attempt.goTo(-1);
    expect(attempt.ply).toBe(0);
    attempt.goTo(9);
    expect(attempt.ply).toBe(3);
  });

  it('shows the solution turn by turn once it is given up', () => {
    const { attempt, results } = startProblem();
    attempt.show();
    expect([attempt.stage, attempt.ply, results]).toEqual(['shown', 0, [false]]);
    expect(attempt.drawings).toContainEqual({ from: 'b5', to: 'b7', brush: 'plain' });
    attempt.goTo(3);
    expect(attempt.position.view.steps).toEqual([]);
    attempt.reset();
    expect([attempt.stage, attempt.solution]).toEqual(['open', []]);
  });

  it('gives hints about the piece and then its destination, and counts as failed', () => {
    const { attempt, results } = startProblem();
    vi.runAllTimers();
    expect(attempt.canHint).toBe(true);
    attempt.hint();
    expect(attempt.drawings).toEqual([{ from: 'b5', to: 'b5', brush: 'plain' }]);
    attempt.hint();
    expect(attempt.drawings).toContainEqual({ from: 'b5', to: 'b7', brush: 'plain' });
    expect(attempt.canHint).toBe(false);
    attempt.play('b5b7');
    vi.runAllTimers();
    expect(attempt.canHint).toBe(true);
    attempt.play('a6a8');
    expect([attempt.stage, results]).toEqual(['right', [false]]);
  });
});

describe('a hint within a chain', () => {
  it('is about the next step', () => {
    const fen = 'k6k/8/2r5/1n1nK3/8/8/8/7K[] w - - 0 1';
    const start = rules.fromFen('interweave', fen);
    const [chain] = start.view.steps;
    if (!chain) throw new Error('there is no step');
    const after = start.play(chain.text);
    // Plays the rest of the chain, always choosing the first continuation.
    let current = after;
    while (current.view.chain !== null) current = current.play(current.view.steps[0]?.text ?? '');
    const line = [current.currentSteps];
    const attempt = new ProblemState(
      rules,
      'interweave',
      { ...ladder, fen, goal: 'gain', turns: 1, line, before: null },
      () => {},
    );
    const steps = start.describe(current.currentSteps).steps;
    attempt.hint();
    expect(attempt.drawings[0]?.from).toBe(steps[0]?.from);
    expect(steps.length).toBeGreaterThan(1);
    attempt.play(steps[0]?.text ?? '');
    attempt.hint();
    expect(attempt.drawings[0]?.from).toBe(steps[1]?.from);
  });
});

describe("the engine's line", () => {
  const startFork = (engine: FixedEngine, problem = fork): ProblemState =>
    new ProblemState(
      rules,
      'chess',
      problem,
      () => {},
      () => Promise.resolve(engine),
    );
  const lines = (attempt: ProblemState): readonly string[] =>
    attempt.reply?.lines.map(({ text }) => text) ?? [];

  it('continues the solution until the advantage is on the board', async () => {
    const engine = fixedEngine(afterFork, 500);
    const attempt = startFork(engine);
    attempt.show();
    expect(attempt.lineState).toBe('thinking');
    await vi.waitFor(() => expect(attempt.lineState).toBe('known'));
    expect(engine.requests).toMatchObject([{ fen: fork.before?.fen, turns: ['f8e8', 'b5c7'] }]);
    expect(attempt.continuation.map(({ text }) => text)).toEqual(['e8d7', 'c7a8']);
    expect(attempt.gainText).toBe('problem-line-gain');
    expect(attempt.solution).toHaveLength(1);
    attempt.goTo(1);
    expect(attempt.drawings).toContainEqual({ from: 'e8', to: 'd7', brush: 'plain' });
    attempt.goTo(9);
    expect([attempt.ply, board(attempt)]).toEqual([3, 'N7/3k4/8/8/8/8/8/4K3 b']);
    attempt.reset();
    expect([attempt.turns, attempt.gainText, attempt.lineState]).toEqual([[], null, 'none']);
    attempt.leave();
    await vi.waitFor(() => expect(engine.isClosed).toBe(true));
  });

  it('is also given after a solved problem, but not after a forced win', async () => {
    const attempt = startFork(fixedEngine(afterFork, 500), { ...fork, before: null });
    attempt.play('b5c7');
    expect([attempt.stage, attempt.lineState]).toEqual(['right', 'thinking']);
    await vi.waitFor(() => expect(attempt.continuation).toHaveLength(2));
    const engine = fixedEngine([], 0);
    const won = startFork(engine, ladder);
    won.show();
    expect([won.lineState, engine.requests]).toEqual(['none', []]);
  });

  it('claims nothing in the middle of an exchange', async () => {
    const attempt = startFork(fixedEngine(['e8d7', 'c7a8'], 0));
    attempt.show();
    await vi.waitFor(() => expect(attempt.lineState).toBe('known'));
    expect(attempt.continuation.map(({ text }) => text)).toEqual(['e8d7', 'c7a8']);
    expect(attempt.gainText).toBeNull();
  });

  it('is missing if the engine cannot be loaded', async () => {
    const attempt = new ProblemState(
      rules,
      'chess',
      fork,
      () => {},
      () => Promise.reject(new Error('offline')),
    );
    attempt.show();
    await vi.waitFor(() => expect(attempt.lineState).toBe('failed'));
    expect(attempt.turns).toHaveLength(1);
  });

  it('comes from another engine after a failure, and the one that failed is closed', async () => {
    const failed: FixedEngine = {
      ...fixedEngine([], 0),
      search: () => Promise.reject(new Error('no network')),
    };
    const engines = [failed, fixedEngine(afterFork, 500)];
    const attempt = new ProblemState(
      rules,
      'chess',
      fork,
      () => {},
      () => Promise.resolve(engines.shift() ?? failed),
    );
    attempt.show();
    await vi.waitFor(() => expect(attempt.lineState).toBe('failed'));
    await vi.waitFor(() => expect(failed.isClosed).toBe(true));
    attempt.show();
    await vi.waitFor(() => expect(attempt.lineState).toBe('known'));
  });

  it('is requested again if the engine could not be loaded for a superseded request', async () => {
    let fail: (error: Error) => void = () => {};
    const starts = [
      new Promise<FixedEngine>((_, reject) => (fail = reject)),
      Promise.resolve(fixedEngine(afterFork, 500)),
    ];
    const start = vi.fn(() => starts.shift() ?? Promise.reject(new Error('offline')));
    const attempt = new ProblemState(rules, 'chess', fork, () => {}, start);
    attempt.show();
    attempt.reset();
    fail(new Error('offline'));
    await Promise.resolve();
    attempt.show();
    await vi.waitFor(() => expect(attempt.lineState).toBe('known'));
    expect(start).toHaveBeenCalledTimes(2);
  });

  it('refutes a wrong turn', async () => {
    const engine = fixedEngine(['e8d7', 'e1e2', 'd7d6', 'e2e3', 'd6d5'], -300);
    const attempt = startFork(engine, { ...fork, before: null });
    attempt.play('b5d6');
    expect([attempt.stage, lines(attempt)]).toEqual([
      'wrong',
      ['problem-worse', 'problem-refuting'],
    ]);
    const first = attempt.reply?.lines[0];
    await vi.waitFor(() => expect(lines(attempt)).toEqual(['problem-worse', 'problem-reply']));
    // The same sentence, so the page does not scroll to the verdict once more.
    expect(attempt.reply?.lines[0]).toBe(first);
    expect(engine.requests).toMatchObject([{ fen: fork.fen, turns: ['b5d6'] }]);
    expect(attempt.drawings).toContainEqual({ from: 'e8', to: 'd7', brush: 'plain' });
  });

  it('does not claim to refute a turn that only misses the best one', async () => {
    const engine = fixedEngine(['a8a2', 'b5c3', 'a2a3', 'f1e1'], -60);
    const attempt = startFork(engine, { ...fork, before: null });
    attempt.play('e1f1');
    await vi.waitFor(() => expect(lines(attempt)).toEqual(['problem-worse']));
    expect([attempt.stage, attempt.drawings]).toEqual(['wrong', []]);
  });

  it('is not shown once the visitor has taken back the turn', async () => {
    const engine = fixedEngine(afterFork, 500);
    const attempt = startFork(engine, { ...fork, before: null });
    attempt.play('b5d6');
    attempt.reset();
    attempt.show();
    await vi.waitFor(() => expect(attempt.lineState).toBe('known'));
    expect(attempt.reply?.head).toBe('problem-solution');
    expect(engine.requests).toMatchObject([{ turns: ['b5c7'] }]);
  });
});
