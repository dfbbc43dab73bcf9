import { describe, expect, it } from 'vitest';
import type { Challenge, GameSummary, HallServerMessage, Seek } from '../api';
import { applyMessage, emptyHall, isBehind, ownPart } from './apply';
import { matchesFilter } from './filter';

const seek = (id: string): Seek => ({
  id,
  name: null,
  color: 'random',
  settings: { variant: 'chess' },
  createdAt: 0,
});
const challenge = (id: string, to: string): Challenge => ({
  id,
  from: 'bela',
  to,
  color: 'white',
  settings: { variant: 'baroque' },
  createdAt: 0,
});

function hallAfter(messages: readonly HallServerMessage[], name: string | null = 'anna') {
  return messages.reduce((hall, message) => applyMessage(hall, message, name), emptyHall);
}

describe('the hall', () => {
  it('shows each seek once, newest first, until it is withdrawn', () => {
    const hall = hallAfter([
      { type: 'hall', hall: { ...emptyHall, seeks: [seek('a')], mine: ['a'] } },
      { type: 'seek-added', seek: seek('b'), version: 1 },
      { type: 'seek-added', seek: seek('b'), version: 1 },
    ]);
    expect(hall.seeks.map(({ id }) => id)).toEqual(['b', 'a']);
    const updated = applyMessage(hall, { type: 'seek-removed', id: 'a', version: 2 }, null);
    expect([updated.seeks.map(({ id }) => id), updated.mine]).toEqual([['b'], []]);
  });

  it("contains only the visitor's own seeks and challenges until other changes arrive", () => {
    const challenges = { received: [challenge('c', 'Anna')], sent: [] };
    const own = hallAfter([
      { type: 'own', own: { version: 3, seeks: [seek('a')], challenges } },
      { type: 'seek-added', seek: seek('b'), mine: true, version: 4 },
      // The broadcast of the same seek comes second, and changes nothing.
      { type: 'seek-added', seek: seek('b'), version: 4 },
    ]);
    expect([own.mine, own.version]).toEqual([['a', 'b'], 4]);
    expect(own.challenges.received.map(({ id }) => id)).toEqual(['c']);
    const withOther = applyMessage(own, { type: 'seek-added', seek: seek('d'), version: 5 }, null);
    expect(withOther.seeks.map(({ id }) => id)).toEqual(['d', 'b', 'a']);
    expect(ownPart(withOther).seeks.map(({ id }) => id)).toEqual(['b', 'a']);
  });

  it('distinguishes incoming and outgoing challenges', () => {
    const hall = hallAfter([
      { type: 'challenge', challenge: challenge('a', 'Anna'), version: 1 },
      { type: 'challenge', challenge: challenge('b', 'carl'), version: 2 },
    ]);
    expect(hall.challenges.received.map(({ id }) => id)).toEqual(['a']);
    expect(hall.challenges.sent.map(({ id }) => id)).toEqual(['b']);
    const updated = applyMessage(hall, { type: 'challenge-gone', id: 'a', version: 3 }, 'anna');
    expect(updated.challenges.received).toEqual([]);
  });

  it('stores the people present and the games in progress', () => {
    const people = { count: 7, names: ['anna'] };
    const games: GameSummary[] = [
      {
        id: 'abcdefghijkl',
        variant: 'baroque',
        players: {
          white: { type: 'person', name: 'Anna' },
          black: { type: 'person', name: 'Bela' },
        },
        you: null,
        status: { type: 'playing' },
        turn: 'white',
        plies: 0,
        timeControl: { type: 'unlimited' },
        touchMove: false,
        deadline: null,
        createdAt: 0,
        updatedAt: 0,
      },
    ];
    const hall = hallAfter([
      { type: 'people', people },
      { type: 'games', games },
      { type: 'pong', at: 1, version: 0 },
    ]);
    expect([hall.people, hall.games]).toEqual([people, games]);
  });

  it('detects missed changes from the version in a pong', () => {
    const pong = (version: number): HallServerMessage => ({ type: 'pong', at: 1, version });
    const snapshot = (version: number): HallServerMessage => ({
      type: 'hall',
      hall: { ...emptyHall, version },
    });
    const hall = hallAfter([
      snapshot(4),
      { type: 'seek-added', seek: seek('a'), version: 6 },
      // Two changes at the same moment may arrive in either order.
      { type: 'challenge-gone', id: 'b', version: 5 },
      { type: 'people', people: { count: 1, names: [] } },
    ]);
    expect([5, 6, 7].map((version) => isBehind(hall, pong(version)))).toEqual([false, false, true]);
    // Another server's version numbers may be lower.
    const reloaded = applyMessage(hall, snapshot(2), null);
    expect([2, 3].map((version) => isBehind(reloaded, pong(version)))).toEqual([false, true]);
  });
});

describe('filters', () => {
  it.each([
    [{ variant: 'chess' }, 'all', 'all', true],
    [{ variant: 'chess' }, 'baroque', 'all', false],
    [{ variant: 'chess' }, 'chess', 'unlimited', true],
    [{ variant: 'chess' }, 'all', 'live', false],
    [
      { variant: 'chess', timeControl: { type: 'delay', initialMs: 60_000, delayMs: 0 } },
      'all',
      'live',
      true,
    ],
    [
      { variant: 'chess', timeControl: { type: 'correspondence', daysPerTurn: 2 } },
      'all',
      'correspondence',
      true,
    ],
  ] as const)('match %j against %s and %s: %s', (settings, variant, pace, expected) => {
    expect(matchesFilter(settings, { variant, pace })).toBe(expected);
  });
});
