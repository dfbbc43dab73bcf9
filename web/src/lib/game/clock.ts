import type { TimeControl } from '../api';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Threshold below which tenths are shown. */
export const tenthsBelowMs = 10 * secondMs;

/**
 * Returns the time below which a clock is low, in milliseconds: a tenth of the initial time, but at
 * least 10 s and at most a minute; six hours in a correspondence game; 0 without a clock.
 */
export function lowBelowMs(control: TimeControl): number {
  if (control.type === 'correspondence') return dayMs / 4;
  if (control.type === 'unlimited') return 0;
  return Math.min(minuteMs, Math.max(tenthsBelowMs, control.initialMs / 10));
}

/**
 * Splits a time of a day or more into days and hours; null for a shorter time. Rounds up to a whole
 * hour, so that three days do not become two after the first second.
 */
export function daysAndHours(ms: number): { readonly days: number; readonly hours: number } | null {
  if (ms < dayMs) return null;
  const hours = Math.ceil(ms / hourMs);
  return { days: Math.floor(hours / 24), hours: hours % 24 };
}

/**
 * Formats a time of less than a day in its two largest units, such as `5 h 03 min` or
 * `4 min 20 s`; a time of less than a minute in seconds, such as `45 s`.
 */
export function hoursMinutesOrSeconds(ms: number): string {
  const seconds = Math.ceil(ms / secondMs);
  const two = (number: number): string => String(number).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return `${Math.floor(minutes / 60)}\u00a0h ${two(minutes % 60)}\u00a0min`;
  if (minutes > 0) return `${minutes}\u00a0min ${two(seconds % 60)}\u00a0s`;
  return `${seconds}\u00a0s`;
}

/** The text of a clock, in two parts. */
export interface ClockText {
  /** Full days. */
  readonly days: number;
  /**
   * The rest, such as `1:02:03`, `4:05` or `0:09.3`. After full days, only the remaining hours,
   * such as `7 h`; empty if there are none.
   */
  readonly digits: string;
}

export function clockText(ms: number): ClockText {
  if (ms >= 0 && ms < tenthsBelowMs) {
    const tenths = Math.floor(ms / 100);
    return { days: 0, digits: `0:0${Math.floor(tenths / 10)}.${tenths % 10}` };
  }
  // Rounded up, so that a clock shows its full time during the first second.
  const seconds = Math.ceil(Math.max(0, ms) / secondMs);
  const long = daysAndHours(seconds * secondMs);
  if (long) return { days: long.days, digits: long.hours > 0 ? `${long.hours} h` : '' };
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const two = (number: number): string => String(number).padStart(2, '0');
  const rest = `${hours > 0 ? two(minutes) : minutes}:${two(seconds % 60)}`;
  return { days: 0, digits: hours > 0 ? `${hours}:${rest}` : rest };
}

/**
 * Returns the time until the text of a running clock changes, in milliseconds. If the clock shows
 * days, returns at most a second, although the text changes only once an hour.
 */
export function nextChangeMs(ms: number): number {
  if (ms <= 0) return Number.POSITIVE_INFINITY;
  if (ms <= tenthsBelowMs) return (ms % 100) + 1;
  return ((ms - 1) % secondMs) + 1;
}

/** Remaining times at which a running clock is announced, in milliseconds. */
export const announcedMs = [minuteMs, 30 * secondMs, 10 * secondMs] as const;

/**
 * Returns the last of `announcedMs` that a clock passed between the remaining times `before` and
 * `now`; null if none.
 */
export function passedThreshold(before: number, now: number): number | null {
  return announcedMs.findLast((moment) => before > moment && now <= moment) ?? null;
}
