import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClientMessage, Game, GameEvent } from '../api';
import type { Rules } from '../rules';
import { gameFixture, mirrorsForTests, rulesForTests } from './fixtures';
import { GameState } from './game-state.svelte';
import type { Announcement } from './announcements';
import type { Mirrors } from './mirror';

// The leaper on a1 can capture a2. If it lands on a3 or a5, it must then capture b3, which it can
// do in three ways from a3 and in one way from a5.
const chain = '6kk/8/8/8/8/1r6/r7/N5KK[] w - - 0 1';

let rules: Rules;
let mirrors: Mirrors;
beforeAll(() => {
  rules = rulesForTests();
  mirrors = mirrorsForTests();
});

let needsConfirmation = false;

function open(changes: Partial<Game> = {}) {
  const sent: ClientMessage[] = [];
  const announced: Announcement['type'][] = [];
  let resyncs = 0;
  const game = new GameState(gameFixture(changes), {
    rules,
    mirrors,
    now: () => 0,
    send: (command) => sent.push(command),
    resync: () => (resyncs += 1),
    confirms: () => needsConfirmation,
    onannouncement: ({ type }) => announced.push(type),
    forcedDelayMs: 100,
  });
  const step = (from: string, to: string): void => {
    const found = game.shown.view.steps.find((each) => each.from === from && each.to === to);
    if (!found) throw new Error(`no step from ${from} to ${to}`);
    game.play(found);
  };
  const turns = (): string[] => game.record.turns.map(({ text }) => text);
  return { game, sent, announced, step, turns, resynced: () => resyncs };
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
    needsConfirmation = false;
  });

  it('shows a turn at once, and keeps it when the server confirms it', () => {
    const { game, sent, announced, step, turns } = open();
    step('e2', 'e4');
    expect(turns()).toEqual(['e2e4']);
    expect(game.canPlay).toBe(false);
    expect(game.isSending).toBe(true);
    expect(sent).toMatchObject([{ type: 'play', version: 1, turn: 'e2e4' }]);
    game.event(played('white', 'e2e4'), 2, 0);
    expect(turns()).toEqual(['e2e4']);
    expect(game.isSending).toBe(false);
    game.event(played('black', 'e7e5'), 3, 0);
    expect(turns()).toEqual(['e2e4', 'e7e5']);
    expect(game.canPlay).toBe(true);
    expect(announced).toEqual(['turn', 'turn']);
  });

  it('takes back a turn that the server refuses, and says why', () => {
    const { game, sent, step, turns } = open();
    step('e2', 'e4');
    const [command] = sent;
    const id = command && 'command' in command ? command.command : '';
    game.refused(id, 'other-position', {});
    expect(turns()).toEqual([]);
    expect(game.canPlay).toBe(true);
    expect(game.notice?.code).toBe('other-position');
  });

  it('follows the server when the visitor has played another turn elsewhere', () => {
    const { game, step, turns } = open();
    step('e2', 'e4');
    game.event(played('white', 'd2d4'), 2, 0);
    expect(turns()).toEqual(['d2d4']);
    expect(game.isSending).toBe(false);
  });

  it('keeps an unacknowledged turn after a snapshot without it', () => {
    const { game, step, turns } = open();
    step('e2', 'e4');
    game.snapshot(gameFixture());
    expect(turns()).toEqual(['e2e4']);
    expect(game.isSending).toBe(true);
    game.snapshot(gameFixture({ turns: ['e2e4', 'c7c5'], version: 3 }));
    expect(turns()).toEqual(['e2e4', 'c7c5']);
    expect(game.isSending).toBe(false);
  });

  it('steps through the game, and plays only in the last position', () => {
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

  it('plays the most likely legal reading of a typed turn', () => {
    const { game, sent } = open();
    expect(game.playText(['Re2', 'e2e5'])?.code).toMatch(/^turn-/);
    expect(sent).toEqual([]);
    expect(game.playText(['Xx', ' e2e4 '])).toBeNull();
    expect(sent).toMatchObject([{ turn: 'e2e4' }]);
    expect(game.playText(['d2d4'])?.code).toBe('not-your-turn');
  });

  it('refuses a typed turn that cannot be read at all', () => {
    const { game, sent } = open();
    expect(game.playText([])?.code).toBe('turn-syntax');
    expect(sent).toEqual([]);
  });

  it('plays a chain step by step, undoes steps, and sends it as a whole', () => {
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

  it('discards an unfinished chain when the visitor steps through the game or leaves', () => {
    const { game, sent, step } = open({ variant: 'interweave', initialFen: chain });
    step('a1', 'a5');
    game.goTo(0);
    expect(game.chain).toEqual([]);
    step('a1', 'a5');
    game.leave();
    vi.advanceTimersByTime(1000);
    expect(sent).toEqual([]);
  });

  it('continues a chain automatically if there is only one continuation', () => {
    const { game, sent, step } = open({ variant: 'interweave', initialFen: chain });
    step('a1', 'a5');
    expect(game.shown.view.steps).toHaveLength(1);
    vi.advanceTimersByTime(100);
    expect(sent).toMatchObject([{ type: 'play', turn: 'a1a5c1' }]);
    expect(game.chain).toEqual([]);
  });

  it('follows offers, answers and the end of the game', () => {
    const { game, announced } = open();
    game.event({ type: 'draw-offered', color: 'black' }, 2, 0);
    expect(game.game.drawOffer).toBe('black');
    game.event(played('white', 'e2e4'), 3, 0);
    expect(game.game.drawOffer).toBeNull();
    game.event({ type: 'draw-offered', color: 'white' }, 4, 0);
    game.event({ type: 'draw-declined', color: 'black' }, 5, 0);
    expect(game.declined).toBe('draw');
    game.event({ type: 'ended', result: '0-1', reason: 'resignation' }, 6, 0);
    expect(game.isPlaying).toBe(false);
    expect(game.canPlay).toBe(false);
    expect(announced).toEqual(['proposed', 'turn', 'declined', 'ended']);
  });

  it('starts when the second player joins', () => {
    const { game } = open({
      players: { white: { type: 'person' }, black: { type: 'open' } },
      status: { type: 'waiting' },
    });
    expect(game.canPlay).toBe(false);
    game.event({ type: 'joined', color: 'black', seat: { type: 'person' } }, 2, 0);
    expect(game.canPlay).toBe(true);
  });

  it('shows a turn, and sends it only after confirmation', () => {
    needsConfirmation = true;
    const { game, sent, step, turns } = open();
    step('e2', 'e4');
    expect([turns(), sent, game.isConfirming, game.canPlay]).toEqual([['e2e4'], [], true, false]);
    game.reconsider();
    expect([turns(), game.isConfirming, game.canPlay]).toEqual([[], false, true]);
    step('d2', 'd4');
    game.snapshot(gameFixture({ version: 1 }));
    expect(turns()).toEqual(['d2d4']);
    game.confirm();
    game.confirm();
    expect(sent).toMatchObject([{ type: 'play', turn: 'd2d4' }]);
    expect(game.isConfirming).toBe(false);
  });

  it('discards an unconfirmed turn when the game ends', () => {
    needsConfirmation = true;
    const { game, sent, step, turns } = open();
    step('e2', 'e4');
    game.event({ type: 'ended', result: '0-1', reason: 'time-out' }, 2, 0);
    expect([turns(), sent, game.isConfirming]).toEqual([[], [], false]);
  });

  it('asks for confirmation before a frozen piece is given up, even if other turns need none', () => {
    // The immobilizer on e4 freezes the leaper on d4.
    const frozen = '7k/8/8/8/3Nm3/8/8/K7 w - - 0 1';
    const { game, sent, step } = open({ variant: 'ultima', initialFen: frozen });
    step('d4', 'd4');
    expect([game.isConfirming, sent]).toEqual([true, []]);
    game.reconsider();
    step('a1', 'a2');
    expect(game.isConfirming).toBe(false);
    expect(sent).toMatchObject([{ type: 'play', turn: 'a1a2' }]);
  });

  const plan = (game: GameState, from: string, to: string): void => {
    const found = game.planSteps.find((each) => each.from === from && each.to === to);
    if (!found) throw new Error(`nothing to plan from ${from} to ${to}`);
    game.planStep(found);
  };

  it('plays a planned turn as soon as possible', () => {
    const { game, sent, announced } = open({ turns: ['e2e4'], version: 2 });
    expect(game.canPlan).toBe(true);
    plan(game, 'e4', 'd5');
    expect(game.planSteps).toEqual([]);
    game.event(played('black', 'd7d5'), 3, 0);
    expect(sent).toMatchObject([{ type: 'play', version: 3, turn: 'e4d5' }]);
    expect(game.plan).toEqual([]);
    expect(announced).toEqual(['turn', 'turn']);
  });

  it('discards an illegal planned turn, and says so', () => {
    const { game, sent, announced, turns } = open({ turns: ['e2e4'], version: 2 });
    plan(game, 'e4', 'd5');
    game.event(played('black', 'a7a6'), 3, 0);
    expect([sent, game.plan, turns()]).toEqual([[], [], ['e2e4', 'a7a6']]);
    expect(announced).toEqual(['turn', 'plan-dropped']);
    expect(game.canPlay).toBe(true);
  });

  it("does not plan during the visitor's own turn, and discards the plan on request", () => {
    const { game, sent } = open({ turns: ['e2e4'], version: 2 });
    plan(game, 'd2', 'd4');
    game.dropPlan();
    game.event(played('black', 'a7a6'), 3, 0);
    expect(sent).toEqual([]);
    expect([game.canPlan, game.planSteps]).toEqual([false, []]);
  });

  it('plays a planned turn without confirmation', () => {
    needsConfirmation = true;
    const { game, sent } = open({ turns: ['e2e4'], version: 2 });
    plan(game, 'd2', 'd4');
    game.event(played('black', 'a7a6'), 3, 0);
    expect(sent).toMatchObject([{ turn: 'd2d4' }]);
  });

  it("reports each touched piece once, only during the visitor's own turn", () => {
    const { game, sent } = open({ touchMove: true });
    game.touch('g1');
    game.touch('g1');
    expect(sent).toMatchObject([{ type: 'touch', version: 1, square: 'g1' }]);
    const obligation = { type: 'must-move', own: 'g1' } as const;
    game.event({ type: 'touched', color: 'white', square: 'g1', obligation }, 2, 0);
    game.touch('g1');
    expect(sent).toHaveLength(1);
    expect(game.steps.map(({ to }) => to).sort()).toEqual(['f3', 'h3']);
    game.event(played('white', 'g1f3'), 3, 0);
    expect(game.game.touch.squares).toEqual([]);
    game.touch('b1');
    expect(sent).toHaveLength(1);
    const withoutTouchMove = open();
    withoutTouchMove.game.touch('g1');
    expect(withoutTouchMove.sent).toEqual([]);
  });

  it('says which obligation forbids a step that is otherwise legal', () => {
    const { game } = open({ touchMove: true, turns: ['e2e4', 'd7d5'], version: 3 });
    expect(game.obligationAgainst('d2', null)).toBeNull();
    const must = { type: 'must-take-with', own: 'e4', enemy: 'd5' } as const;
    const touch = { type: 'touched', color: 'white' } as const;
    const mustMove = { type: 'must-move', own: 'e4' } as const;
    const binds = { binds: true };
    game.event({ ...touch, square: 'e4', obligation: mustMove, outcome: binds }, 4, 0);
    const together = { binds: true, together: true };
    game.event({ ...touch, square: 'd5', obligation: must, outcome: together }, 5, 0);
    expect(game.game.touch.obligation).toEqual(must);
    // A piece that may not move, and one that may move elsewhere.
    expect(game.obligationAgainst('d2', null)).toEqual(must);
    expect(game.obligationAgainst('d2', 'd8')).toEqual(must);
    expect(game.obligationAgainst('e4', 'e5')).toEqual(must);
    // Allowed steps, and those that the rules forbid anyway.
    expect(game.obligationAgainst('e4', 'd5')).toBeNull();
    expect(game.obligationAgainst('e4', 'e6')).toBeNull();
    expect(game.obligationAgainst('a1', null)).toBeNull();
  });

  it('sends “J’adoube”, after which a touch is not binding', () => {
    const { game, sent } = open({ touchMove: true });
    expect(game.canAdjust).toBe(true);
    game.adjust();
    game.event({ type: 'adjusted', color: 'white' }, 2, 0);
    expect(game.canAdjust).toBe(false);
    game.touch('g1');
    game.event({ type: 'touched', color: 'white', square: 'g1', obligation: null }, 3, 0);
    expect(game.game.touch).toEqual({ squares: [], adjusting: false, obligation: null });
    game.touch('g1');
    expect(sent.map(({ type }) => type)).toEqual(['adjust', 'touch', 'touch']);
  });

  it('does not report refused touches', () => {
    const { game, sent } = open({ touchMove: true });
    game.touch('a8');
    const [touch] = sent;
    game.refused(touch && 'command' in touch ? touch.command : '', 'other-position', {});
    expect(game.notice).toBeNull();
  });

  it('with touch-move, does not undo the steps of a chain', () => {
    const { game, step } = open({ variant: 'interweave', initialFen: chain, touchMove: true });
    step('a1', 'a3');
    game.undoStep();
    game.undoChain();
    game.goTo(0);
    expect(game.chain.map(({ text }) => text)).toEqual(['a1a3']);
  });

  it('takes back turns when both players agree', () => {
    const { game, announced, turns } = open({ turns: ['e2e4', 'e7e5'], version: 3 });
    game.sendCommand('propose-takeback');
    game.event({ type: 'takeback-proposed', color: 'white' }, 4, 0);
    expect(game.game.takeback).toBe('white');
    game.event({ type: 'taken-back', plies: 2 }, 5, 0);
    expect([turns(), game.game.takeback, game.canPlay]).toEqual([[], null, true]);
    game.event({ type: 'takeback-proposed', color: 'black' }, 6, 0);
    game.event({ type: 'takeback-declined', color: 'black' }, 7, 0);
    expect(announced).toEqual(['taken-back', 'proposed', 'declined']);
  });

  it('gets the allowed acts and their results from the game', () => {
    const { game } = open();
    expect([game.may('offer-draw'), game.may('accept-draw'), game.may('claim-left')]).toEqual([
      true,
      false,
      false,
    ]);
    expect([game.resultOf('abort'), game.resultOf('resign')]).toEqual(['*', '0-1']);
    game.event(played('white', 'e2e4'), 2, 0);
    game.event(played('black', 'e7e5'), 3, 0);
    expect([game.may('abort'), game.may('propose-takeback')]).toEqual([false, true]);
    expect(open({ you: null }).game.may('resign')).toBe(false);
  });

  it('returns the clocks at any instant', () => {
    const clock = { white: 60_000, black: 60_000 };
    const { game } = open({
      timeControl: { type: 'delay', initialMs: 60_000, delayMs: 2000 },
      clock: { left: clock, running: null, delayLeftMs: 0, firstTurnUntil: 30_000 },
    });
    expect(game.clock(5000)).toMatchObject({ running: null, firstTurnUntil: 30_000 });
    game.event({ type: 'played', color: 'white', turn: 'e2e4', clock }, 2, 1000);
    game.event({ type: 'played', color: 'black', turn: 'e7e5', clock }, 3, 2000);
    expect(game.clock(3500)).toMatchObject({ left: clock, running: 'white', delayLeftMs: 500 });
    expect(game.clock(5000)?.left).toEqual({ white: 59_000, black: 60_000 });
  });

  it('refuses at once a turn that a touched piece forbids', () => {
    const { game, sent } = open({ touchMove: true });
    const obligation = { type: 'must-move', own: 'g1' } as const;
    game.event({ type: 'touched', color: 'white', square: 'g1', obligation }, 2, 0);
    expect(game.playText(['e2e4'])?.code).toBe('touched-must-move');
    expect(sent).toEqual([]);
  });

  it('plays a conditional turn before a planned one', () => {
    const { game, sent, turns } = open({
      turns: ['e2e4'],
      version: 2,
      timeControl: { type: 'correspondence', daysPerTurn: 3 },
    });
    const tree = [{ reply: 'e7e5', answer: 'g1f3' }];
    game.event({ type: 'conditions-set', color: 'white', tree }, 3, 0);
    expect(game.game.conditions).toEqual(tree);
    plan(game, 'd2', 'd4');
    game.event(played('black', 'e7e5'), 4, 0);
    expect(sent).toEqual([]);
    game.event(played('white', 'g1f3'), 5, 0);
    expect([turns(), game.game.conditions]).toEqual([['e2e4', 'e7e5', 'g1f3'], []]);
    game.event(played('black', 'b8c6'), 6, 0);
    expect(sent).toMatchObject([{ turn: 'd2d4' }]);
  });

  it('requests a snapshot when an event does not fit, and reports an error if that does not help', () => {
    const { game, resynced, turns } = open();
    game.event(played('white', 'e2e4'), 7, 0);
    game.event(played('white', 'e2e5'), 2, 0);
    expect([resynced(), turns()]).toEqual([2, []]);
    game.snapshot(gameFixture({ version: 9 }));
    expect(game.notice?.code).toBe('page-outdated');
    game.snapshot(gameFixture({ turns: ['e2e4'], version: 2 }));
    expect(turns()).toEqual(['e2e4']);
  });
});
