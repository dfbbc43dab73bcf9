import { describe, expect, it } from 'vitest';
import { Company } from './company.svelte';

const line = (id: number, author = 'a') =>
  ({ id, room: 'players', author, name: null, color: 'white', text: `${id}`, at: id }) as const;

describe('presence and chat', () => {
  it('counts from when a side was first absent', () => {
    let now = 1000;
    const company = new Company(() => now);
    expect(company.untilLeftMs('black', now)).toBeNull();
    company.presence({ white: true, black: false, watchers: 3 });
    now = 21_000;
    company.presence({ white: true, black: false, watchers: 4 });
    expect(company.untilLeftMs('black', now)).toBe(40_000);
    expect(company.untilLeftMs('black', 90_000)).toBe(0);
    company.presence({ white: true, black: true, watchers: 4 });
    expect(company.untilLeftMs('black', now)).toBeNull();
    expect(company.watchers).toBe(4);
  });

  it('shows each chat line once, and none from muted players', () => {
    const company = new Company();
    company.said([line(1), line(2, 'b')], true);
    company.said([line(2, 'b'), line(3)], false);
    expect(company.heard.map(({ id }) => id)).toEqual([1, 2, 3]);
    company.mute('b');
    company.said([line(4, 'b')], false);
    expect(company.heard.map(({ id }) => id)).toEqual([1, 3]);
    company.unmuteAll();
    expect(company.heard).toHaveLength(4);
    company.said([line(9)], true);
    expect(company.lines).toHaveLength(1);
  });
});
