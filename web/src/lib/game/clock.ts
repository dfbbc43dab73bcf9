import type { TimeControl } from '../api';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Below this the clock shows tenths. */
export const tenthsBelowMs = 10 * secondMs;

/** When a clock is low: a tenth of what it began with, between 10 s and a minute. */
export function lowBelowMs(control: TimeControl): number {
  if (control.type === 'correspondence') return dayMs / 4;
  if (control.type === 'unlimited') return 0;
  return Math.min(minuteMs, Math.max(tenthsBelowMs, control.initialMs / 10));
}

/** The text of a clock, of stable width, and its words for screen readers. */
export interface Face {
  /** Days, where there are any. */
  readonly days: number;
  /** `1:02:03`, `4:05`, `0:09.3`; beside days their hours, `7 h`, or nothing. */
  readonly digits: string;
}

export function face(ms: number): Face {
  if (ms >= 0 && ms < tenthsBelowMs) {
    const tenths = Math.floor(ms / 100);
    return { days: 0, digits: `0:0${Math.floor(tenths / 10)}.${tenths % 10}` };
  }
  // Rounded up, so that 0:00 is never shown with time left.
  const seconds = Math.ceil(Math.max(0, ms) / secondMs);
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const two = (number: number): string => String(number).padStart(2, '0');
  if (days > 0) return { days, digits: hours > 0 ? `${hours} h` : '' };
  const rest = `${hours > 0 ? two(minutes) : minutes}:${two(seconds % 60)}`;
  return { days, digits: hours > 0 ? `${hours}:${rest}` : rest };
}

/** In how many milliseconds the face of a running clock changes. */
export function nextChangeMs(ms: number): number {
  if (ms <= 0) return Number.POSITIVE_INFINITY;
  if (ms <= tenthsBelowMs) return (ms % 100) + 1;
  return ((ms - 1) % secondMs) + 1;
}

/** The times left at which a running clock is announced, in milliseconds. */
export const spokenMs = [minuteMs, 30 * secondMs, 10 * secondMs] as const;

/** The latest of them that was passed on the way from `before` to `now`. */
export function passedMoment(before: number, now: number): number | null {
  return spokenMs.findLast((moment) => before > moment && now <= moment) ?? null;
}
