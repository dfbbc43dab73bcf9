import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClientMessage, Game, GameEvent } from '../api';
import type { Rules } from '../rules';
import { rulesOver } from '../rules-wasm';
import { initSync, PositionHandle } from '../wasm/adoube_wasm';
import { GameState, type Happening } from './game-state.svelte';

const chess = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
// The leaper on a1 takes a2 and then has to take b3: by a3 in three ways, by a5 in one.
const chain = '6kk/8/8/8/8/1r6/r7/N5KK[] w - - 0 1';

let rules: Rules;
beforeAll(() => {
  initSync({ module: readFileSync(join(import.meta.dirname, '../wasm/adoube_wasm_bg.wasm')) });
  rules = rulesOver(PositionHandle);
});

const snapshot = (changes: Partial<Game> = {}): Game => ({
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
  ...changes,
});

function open(changes: Partial<Game> = {}) {
  const sent: ClientMessage[] = [];
  const happened: Happening['type'][] = [];
  const game = new GameState(snapshot(changes), {
    rules,
    send: (command) => sent.push(command),
    happened: ({ type }) => happened.push(type),
    forcedDelayMs: 100,
  });
  const step = (from: string, to: string): void => {
    const found = game.shown.view.steps.find((each) => each.from === from && each.to === to);
    if (!found) throw new Error(`no step from ${from} to ${to}`);
    game.play(found);
  };
  const turns = (): string[] => game.record.turns.map(({ text }) => text);
  return { game, sent, happened, step, turns };
}

const played = (color: 'white' | 'black', turn: string): GameEvent => ({
  type: 'played',
  color,
  turn,
});

describe('GameState', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('shows a turn at once, and keeps it when the server says it', () => {
    const { game, sent, happened, step, turns } = open();
    step('e2', 'e4');
    expect(turns()).toEqual(['e2e4']);
    expect(game.canPlay).toBe(false);
    expect(game.isSending).toBe(true);
    expect(sent).toMatchObject([{ type: 'play', version: 1, turn: 'e2e4' }]);
    game.event(played('white', 'e2e4'), 2);
    expect(turns()).toEqual(['e2e4']);
    expect(game.isSending).toBe(false);
    game.event(played('black', 'e7e5'), 3);
    expect(turns()).toEqual(['e2e4', 'e7e5']);
    expect(game.canPlay).toBe(true);
    expect(happened).toEqual(['turn', 'turn']);
  });

  it('takes a turn back that the server refuses, and says why', () => {
    const { game, sent, step, turns } = open();
    step('e2', 'e4');
    const [command] = sent;
    const id = command && 'command' in command ? command.command : '';
    game.refused(id, 'other-position', {});
    expect(turns()).toEqual([]);
    expect(game.canPlay).toBe(true);
    expect(game.notice?.code).toBe('other-position');
  });

  it('believes the server when another turn of ours was played elsewhere', () => {
    const { game, step, turns } = open();
    step('e2', 'e4');
    game.event(played('white', 'd2d4'), 2);
    expect(turns()).toEqual(['d2d4']);
    expect(game.isSending).toBe(false);
  });

  it('keeps an unanswered turn over a snapshot that does not have it yet', () => {
    const { game, step, turns } = open();
    step('e2', 'e4');
    game.snapshot(snapshot());
    expect(turns()).toEqual(['e2e4']);
    expect(game.isSending).toBe(true);
    game.snapshot(snapshot({ turns: ['e2e4', 'c7c5'], version: 3 }));
    expect(turns()).toEqual(['e2e4', 'c7c5']);
    expect(game.isSending).toBe(false);
  });

  it('walks through the game and plays only in the present', () => {
    const { game, turns } = open({ turns: ['e2e4', 'e7e5'], version: 3 });
    game.goTo(1);
    expect([game.ply, game.isLive, game.canPlay]).toEqual([1, false, false]);
    expect(game.shown.view.turn).toBe('black');
    game.goTo(-1);
    expect(game.ply).toBe(0);
    game.goTo(2);
    expect([game.isLive, game.canPlay]).toEqual([true, true]);
    expect(turns()).toHaveLength(2);
  });

  it('reads typed turns in the likeliest way that is legal', () => {
    const { game, sent } = open();
    expect(game.playText(['Re2', 'e2e5'])?.code).toMatch(/^turn-/);
    expect(sent).toEqual([]);
    expect(game.playText(['Xx', ' e2e4 '])).toBeNull();
    expect(sent).toMatchObject([{ turn: 'e2e4' }]);
    expect(game.playText(['d2d4'])?.code).toBe('not-your-turn');
  });

  it('plays a chain step by step, takes steps back, and sends it whole', () => {
    const { game, sent, step } = open({ variant: 'interweave', initialFen: chain });
    step('a1', 'a3');
    vi.advanceTimersByTime(1000);
    expect(game.chain.map(({ text }) => text)).toEqual(['a1a3']);
    expect(game.shown.view.chain).toBe('a3');
    game.undoStep();
    expect(game.chain).toEqual([]);
    expect(game.shown.view.chain).toBeNull();
    step('a1', 'a3');
    expect(sent).toEqual([]);
    step('a3', 'e3');
    expect(sent).toMatchObject([{ type: 'play', turn: 'a1a3e3' }]);
    expect(game.chain).toEqual([]);
  });

  it('forgets the steps of a chain when the visitor looks elsewhere or leaves', () => {
    const { game, sent, step } = open({ variant: 'interweave', initialFen: chain });
    step('a1', 'a5');
    game.goTo(0);
    expect(game.chain).toEqual([]);
    step('a1', 'a5');
    game.leave();
    vi.advanceTimersByTime(1000);
    expect(sent).toEqual([]);
  });

  it('continues a chain by itself when there is one way only', () => {
    const { game, sent, step } = open({ variant: 'interweave', initialFen: chain });
    step('a1', 'a5');
    expect(game.shown.view.steps).toHaveLength(1);
    vi.advanceTimersByTime(100);
    expect(sent).toMatchObject([{ type: 'play', turn: 'a1a5c1' }]);
    expect(game.chain).toEqual([]);
  });

  it('follows offers, answers and the end', () => {
    const { game, happened } = open();
    game.event({ type: 'draw-offered', color: 'black' }, 2);
    expect(game.game.drawOffer).toBe('black');
    game.event(played('white', 'e2e4'), 3);
    expect(game.game.drawOffer).toBeNull();
    game.event({ type: 'draw-offered', color: 'white' }, 4);
    game.event({ type: 'draw-declined' }, 5);
    expect(game.declined).toBe(true);
    game.event({ type: 'ended', result: '0-1', reason: 'resignation' }, 6);
    expect(game.isPlaying).toBe(false);
    expect(game.canPlay).toBe(false);
    expect(happened).toEqual(['draw-offered', 'turn', 'draw-declined', 'ended']);
  });

  it('starts when the second player sits down', () => {
    const { game } = open({
      players: { white: { type: 'person' }, black: { type: 'open' } },
      status: { type: 'waiting' },
    });
    expect(game.canPlay).toBe(false);
    game.event({ type: 'joined', color: 'black', seat: { type: 'person' } }, 2);
    expect(game.canPlay).toBe(true);
  });
});
