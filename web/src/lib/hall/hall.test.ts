import { describe, expect, it } from 'vitest';
import type { Challenge, HallServerMessage, Seek } from '../api';
import { emptyHall, applyMessage } from './apply';
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

function after(messages: readonly HallServerMessage[], name: string | null = 'anna') {
  return messages.reduce((hall, message) => applyMessage(hall, message, name), emptyHall);
}

describe('the hall', () => {
  it('shows each seek once, the newest first, until it is withdrawn', () => {
    const hall = after([
      { type: 'hall', hall: { ...emptyHall, seeks: [seek('a')], mine: ['a'] } },
      { type: 'seek-added', seek: seek('b') },
      { type: 'seek-added', seek: seek('b') },
    ]);
    expect(hall.seeks.map(({ id }) => id)).toEqual(['b', 'a']);
    const gone = applyMessage(hall, { type: 'seek-removed', id: 'a' }, null);
    expect([gone.seeks.map(({ id }) => id), gone.mine]).toEqual([['b'], []]);
  });

  it('distinguishes incoming and outgoing challenges', () => {
    const hall = after([
      { type: 'challenge', challenge: challenge('a', 'Anna') },
      { type: 'challenge', challenge: challenge('b', 'carl') },
    ]);
    expect(hall.challenges.received.map(({ id }) => id)).toEqual(['a']);
    expect(hall.challenges.sent.map(({ id }) => id)).toEqual(['b']);
    const gone = applyMessage(hall, { type: 'challenge-gone', id: 'a' }, 'anna');
    expect(gone.challenges.received).toEqual([]);
  });

  it('keeps the people present and the running games', () => {
    const people = { count: 7, names: ['anna'] };
    const hall = after([
      { type: 'people', people },
      { type: 'games', games: [] },
      { type: 'pong', at: 1 },
    ]);
    expect(hall.people).toEqual(people);
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
  ] as const)('look at %j for %s and %s: %s', (settings, variant, pace, wanted) => {
    expect(matchesFilter(settings, { variant, pace })).toBe(wanted);
  });
});
