import { describe, expect, it } from 'vitest';
import {
  clockText,
  hoursMinutesOrSeconds,
  lowBelowMs,
  nextChangeMs,
  passedThreshold,
} from './clock';

describe('a clock', () => {
  it.each([
    [0, 0, '0:00.0'],
    [40, 0, '0:00.0'],
    [9349, 0, '0:09.3'],
    [9999, 0, '0:09.9'],
    [10_000, 0, '0:10'],
    [10_001, 0, '0:11'],
    [59_999, 0, '1:00'],
    [180_000, 0, '3:00'],
    [3_600_000, 0, '1:00:00'],
    [3_723_000, 0, '1:02:03'],
    [86_400_000, 1, ''],
    [86_399_000, 0, '23:59:59'],
    [2 * 86_400_000 + 3_600_000, 2, '1 h'],
  ])('of %d ms shows %d days and %s', (ms, days, digits) => {
    expect(clockText(ms)).toEqual({ days, digits });
  });

  it('schedules the next change of its text', () => {
    for (const ms of [12_345, 60_000, 10_001, 9999, 123]) {
      const wait = nextChangeMs(ms);
      expect(clockText(ms - wait)).not.toEqual(clockText(ms));
      expect(clockText(ms - wait + 1)).toEqual(clockText(ms));
    }
    expect(nextChangeMs(0)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is announced once at each threshold', () => {
    expect(passedThreshold(61_000, 60_000)).toBe(60_000);
    expect(passedThreshold(60_000, 59_000)).toBeNull();
    expect(passedThreshold(31_000, 29_000)).toBe(30_000);
    expect(passedThreshold(200_000, 5000)).toBe(10_000);
  });

  it('is low at a tenth of its initial time, within limits', () => {
    expect(lowBelowMs({ type: 'fischer', initialMs: 180_000, incrementMs: 0 })).toBe(18_000);
    expect(lowBelowMs({ type: 'fischer', initialMs: 60_000, incrementMs: 0 })).toBe(10_000);
    expect(lowBelowMs({ type: 'delay', initialMs: 5_400_000, delayMs: 0 })).toBe(60_000);
    expect(lowBelowMs({ type: 'unlimited' })).toBe(0);
  });
});

it.each([
  [86_399_000, '23\u00a0h 59\u00a0min'],
  [3_600_000, '1\u00a0h 00\u00a0min'],
  [3_599_001, '1\u00a0h 00\u00a0min'],
  [65_000, '1\u00a0min 05\u00a0s'],
  [30_000, '30\u00a0s'],
  [1, '1\u00a0s'],
  [0, '0\u00a0s'],
])('formats %d ms as a time of less than a day', (ms, text) => {
  expect(hoursMinutesOrSeconds(ms)).toBe(text);
});
