import { describe, expect, it } from 'vitest';
import { aGame } from './fixtures';
import { applied } from './apply';

const delay = { type: 'delay', initialMs: 60_000, delayMs: 2000 } as const;
const clock = {
  left: { white: 60_000, black: 60_000 },
  running: null,
  delayLeftMs: 0,
  firstTurnUntil: null,
};
const timed = aGame({ timeControl: delay, firstTurnMs: 30_000, clock });

describe('a game and its events', () => {
  it('begins its first turn when the second player sits down', () => {
    const waiting = {
      ...timed,
      players: { white: { type: 'person' }, black: { type: 'open' } },
      status: { type: 'waiting' },
    } as const;
    const seat = { type: 'person', name: 'anna' } as const;
    const game = applied(waiting, { type: 'joined', color: 'black', seat }, 500, 'white');
    expect(game.status.type).toBe('playing');
    expect(game.players.black).toEqual(seat);
    expect([game.clock?.firstTurnUntil, game.at]).toEqual([30_500, 500]);
  });

  it('hands the clock over with each turn', () => {
    const turns = ['e2e4', 'e7e5'];
    const running = { ...clock, running: 'white' } as const;
    const left = { white: 55_000, black: 60_000 };
    const before = {
      ...timed,
      turns,
      clock: running,
      takeback: 'black',
      drawOffer: 'white',
    } as const;
    const after = applied(
      before,
      { type: 'played', color: 'white', turn: 'g1f3', clock: left },
      9000,
      'white',
    );
    expect(after.clock).toEqual({
      left,
      running: 'black',
      delayLeftMs: 2000,
      firstTurnUntil: null,
    });
    expect(after.at).toBe(9000);
    // Its own offer stands; what was proposed about another position does not.
    expect([after.drawOffer, after.takeback]).toEqual(['white', null]);
  });

  it('keeps the clocks at the instant they were read', () => {
    const running = { ...timed, clock: { ...clock, running: 'white' as const }, at: 100 };
    expect(applied(running, { type: 'draw-offered', color: 'black' }, 900, 'white').at).toBe(100);
    const given = { white: 74_200, black: 60_000 };
    const event = { type: 'time-given', color: 'black', ms: 15_000, clock: given } as const;
    const after = applied(running, event, 900, 'white');
    expect([after.clock?.left, after.at]).toEqual([given, 900]);
  });

  it('goes back to the side that played the turn taken back', () => {
    const left = { white: 50_000, black: 40_000 };
    const turns = ['e2e4', 'e7e5', 'g1f3'];
    const event = { type: 'taken-back', plies: 1, clock: left } as const;
    const game = applied({ ...timed, turns }, event, 700, 'black');
    expect(game.turns).toEqual(['e2e4', 'e7e5']);
    expect(game.clock).toMatchObject({ left, running: 'white', delayLeftMs: 2000 });
    const start = applied({ ...timed, turns }, { ...event, plies: 2 }, 700, 'black');
    expect(start.clock).toMatchObject({ running: null, firstTurnUntil: 30_700 });
  });

  it('stops the clocks at the end', () => {
    const running = { ...timed, clock: { ...clock, running: 'white' as const }, at: 0 };
    const ended = { type: 'ended', result: '0-1', reason: 'resignation' } as const;
    expect(applied(running, ended, 5000, 'white').clock).toEqual({
      ...clock,
      left: { white: 55_000, black: 60_000 },
    });
    const aborted = applied(aGame(), { type: 'ended', result: '*', reason: 'aborted' }, 1, 'white');
    expect([aborted.clock, aborted.status]).toEqual([
      null,
      { type: 'over', result: '*', reason: 'aborted' },
    ]);
  });

  it('follows the own conditional turns and forgets what was not played', () => {
    const tree = [
      { reply: 'e7e5', answer: 'g1f3', then: [{ reply: 'b8c6', answer: 'f1b5' }] },
      { reply: 'c7c5', answer: 'b1c3' },
    ];
    const set = applied(aGame(), { type: 'conditions-set', color: 'white', tree }, 0, 'black');
    const replied = applied(set, { type: 'played', color: 'black', turn: 'e7e5' }, 0, 'black');
    expect(replied.conditions).toEqual([tree[0]]);
    const answered = applied(replied, { type: 'played', color: 'white', turn: 'g1f3' }, 0, 'white');
    expect(answered.conditions).toEqual([{ reply: 'b8c6', answer: 'f1b5' }]);
    const otherwise = applied(set, { type: 'played', color: 'black', turn: 'a7a6' }, 0, 'black');
    expect(otherwise.conditions).toEqual([]);
  });

  it('charges nobody for the time of an interruption', () => {
    const running = {
      ...timed,
      clock: { ...clock, running: 'black' as const, delayLeftMs: 2000 },
      at: 1000,
    };
    const left = { white: 60_000, black: 60_000 };
    const event = { type: 'interrupted', from: 1500, until: 9500, clock: left } as const;
    // Half a second of the delay had passed before the server went down, and another since.
    expect(applied(running, event, 10_000, 'black').clock?.delayLeftMs).toBe(1000);
  });
});
