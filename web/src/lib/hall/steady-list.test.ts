import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GONE_MS, MAX_GONE, SteadyList } from './steady-list.svelte';

const entries = (ids: string) => [...ids].map((id) => ({ id }));
/** Returns the ids in their places; those of entries that are gone in parentheses. */
const places = (list: SteadyList<{ id: string }>): string =>
  list.rows.map(({ item, isOpen }) => (isOpen ? item.id : `(${item.id})`)).join('');

describe('a steady list', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('keeps every entry in its place when others come and go', () => {
    const list = new SteadyList<{ id: string }>();
    list.reset(entries('abc'));
    list.update(entries('dabc'));
    expect(places(list)).toBe('abcd');
    list.update(entries('eac'));
    expect(places(list)).toBe('a(b)c(d)e');
    list.update(entries('beac'));
    expect(places(list)).toBe('abc(d)e');
    vi.advanceTimersByTime(GONE_MS);
    expect(places(list)).toBe('abce');
  });

  it('does not close gaps while the pointer or the focus is in the list', () => {
    const list = new SteadyList<{ id: string }>();
    list.reset(entries('abc'));
    list.isHeld = true;
    list.update(entries('bc'));
    vi.advanceTimersByTime(10 * GONE_MS);
    expect(places(list)).toBe('(a)bc');
    list.isHeld = false;
    vi.advanceTimersByTime(1);
    expect(places(list)).toBe('bc');
  });

  it('closes a gap on time, however often other entries come and go', () => {
    const list = new SteadyList<{ id: string }>();
    list.reset(entries('abc'));
    list.update(entries('bc'));
    for (let second = 1; second < GONE_MS / 1000; second += 1) {
      vi.advanceTimersByTime(1000);
      list.update(entries(second % 2 === 0 ? 'bc' : 'c'));
    }
    expect(places(list)).toBe('(a)(b)c');
    vi.advanceTimersByTime(1000);
    expect(places(list)).toBe('(b)c');
  });

  it('does not grow without bound while it is held', () => {
    const list = new SteadyList<{ id: string }>();
    list.isHeld = true;
    for (let seek = 0; seek < 10 * MAX_GONE; seek += 1) list.update([{ id: `seek ${seek}` }]);
    expect(list.rows.length).toBeLessThanOrEqual(MAX_GONE + 1);
  });

  it('shows different entries at once when the filter changes', () => {
    const list = new SteadyList<{ id: string }>();
    list.reset(entries('abc'));
    list.update(entries('ab'));
    list.reset(entries('xb'));
    expect(places(list)).toBe('xb');
  });
});
