import { describe, expect, it } from 'vitest';
import type { ChatLine } from '../api';
import { GameRoom } from './game-room.svelte';

const line = (id: number, author = 'a') =>
  ({ id, room: 'players', author, name: null, color: 'white', text: `${id}`, at: id }) as const;

describe('presence and chat', () => {
  it('measures an absence from the first message that reports it', () => {
    let now = 1000;
    const room = new GameRoom(() => now);
    expect(room.untilLeftMs('black', now)).toBeNull();
    room.presence({ white: true, black: false, watchers: 3 });
    now = 21_000;
    room.presence({ white: true, black: false, watchers: 4 });
    expect(room.untilLeftMs('black', now)).toBe(40_000);
    expect(room.untilLeftMs('black', 90_000)).toBe(0);
    room.presence({ white: true, black: true, watchers: 4 });
    expect(room.untilLeftMs('black', now)).toBeNull();
    expect(room.watchers).toBe(4);
  });

  it('shows each chat message once, and none from muted players', () => {
    const room = new GameRoom();
    room.addLines([line(1), line(2, 'b')], true);
    room.addLines([line(2, 'b'), line(3)], false);
    expect(room.visibleLines.map(({ id }) => id)).toEqual([1, 2, 3]);
    room.mute('b');
    room.addLines([line(4, 'b')], false);
    expect(room.visibleLines.map(({ id }) => id)).toEqual([1, 3]);
    room.unmuteAll();
    expect(room.visibleLines).toHaveLength(4);
    room.addLines([line(9)], true);
    expect(room.lines).toHaveLength(1);
  });

  it('counts lines from others until they have been seen', () => {
    const room = new GameRoom();
    room.addLines([line(1), line(2, 'b')], true);
    expect(room.unseen('black')).toBe(2);
    expect(room.unseen('white')).toBe(0);
    room.markAllSeen();
    expect(room.unseen('black')).toBe(0);
    room.addLines([line(3), line(4, 'b')], false);
    room.mute('b');
    expect(room.unseen('black')).toBe(1);
  });

  it('for a spectator, counts the lines from other spectators', () => {
    const room = new GameRoom();
    const watched = (id: number): ChatLine => ({ ...line(id), room: 'watchers', color: null });
    room.addLines([watched(1), watched(2)], true);
    expect(room.unseen(null)).toBe(2);
    room.markAllSeen();
    room.addLines([watched(3)], false);
    expect(room.unseen(null)).toBe(1);
  });
});
