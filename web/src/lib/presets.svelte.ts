import { Persisted } from './persisted.svelte';
import type { TimeControl } from './api';

const minutes = (count: number, incrementSeconds: number): TimeControl => ({
  type: 'fischer',
  initialMs: count * 60_000,
  incrementMs: incrementSeconds * 1000,
});
const days = (daysPerTurn: number): TimeControl => ({ type: 'correspondence', daysPerTurn });

/** Common time controls. */
export const commonControls: readonly TimeControl[] = [
  { type: 'unlimited' },
  minutes(1, 0),
  minutes(3, 0),
  minutes(3, 2),
  minutes(5, 0),
  minutes(5, 3),
  minutes(10, 0),
  minutes(10, 5),
  minutes(15, 10),
  minutes(30, 20),
  days(1),
  days(3),
  days(7),
];

/** The time controls offered for finding an opponent with one click: the most popular ones. */
export const pairingControls: readonly TimeControl[] = [
  minutes(1, 0),
  minutes(3, 0),
  minutes(3, 2),
  minutes(5, 0),
  minutes(5, 3),
  minutes(10, 0),
  minutes(10, 5),
  minutes(15, 10),
  minutes(30, 20),
  days(3),
  days(7),
];

/** The number of turns assumed in the estimate of a game's length. */
const ESTIMATED_TURNS = 40;

/**
 * Classifies a time control by the estimated time per player, with the usual thresholds. A game
 * without a clock counts as correspondence.
 */
export function speedOf(
  control: TimeControl,
): 'bullet' | 'blitz' | 'rapid' | 'classical' | 'correspondence' {
  if (control.type === 'correspondence' || control.type === 'unlimited') return 'correspondence';
  const perTurnMs = control.type === 'fischer' ? control.incrementMs : control.delayMs;
  const estimatedMinutes = (control.initialMs + ESTIMATED_TURNS * perTurnMs) / 60_000;
  if (estimatedMinutes < 3) return 'bullet';
  if (estimatedMinutes < 8) return 'blitz';
  return estimatedMinutes < 25 ? 'rapid' : 'classical';
}

/** Returns a key that identifies a time control, whatever the order of its fields. */
export const keyOf = (control: TimeControl): string =>
  Object.entries(control)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join(' ');

function isControl(value: unknown): value is TimeControl {
  if (typeof value !== 'object' || value === null || !('type' in value)) return false;
  const { type, ...numbers } = value;
  const fields: Record<string, readonly string[]> = {
    fischer: ['initialMs', 'incrementMs'],
    delay: ['initialMs', 'delayMs'],
    correspondence: ['daysPerTurn'],
  };
  const required = fields[String(type)];
  const found: Record<string, unknown> = numbers;
  return required !== undefined && required.every((name) => Number.isSafeInteger(found[name]));
}

export function readControls(text: string | null): TimeControl[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter(isControl) : [];
  } catch {
    return [];
  }
}

const own = new Persisted<readonly TimeControl[]>('clocks', readControls, JSON.stringify);

/** Time controls saved by the visitor. */
export const presets = {
  get own(): readonly TimeControl[] {
    return own.current;
  },

  add(control: TimeControl): void {
    const known = [...commonControls, ...own.current].map(keyOf);
    if (!known.includes(keyOf(control))) own.current = [...own.current, control];
  },

  remove(control: TimeControl): void {
    own.current = own.current.filter((each) => keyOf(each) !== keyOf(control));
  },
};
