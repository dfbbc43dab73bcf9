import { describe, expect, it } from 'vitest';
import type { GameEvent } from '../api';
import { announcementOf, proposedBy } from './announcements';

const offered: GameEvent = { type: 'draw-offered', color: 'white' };
const declined: GameEvent = { type: 'draw-declined', color: 'white' };

describe('announcements of events', () => {
  it('omit proposals that the visitor makes or declines', () => {
    expect(announcementOf(offered, 'white')).toBeNull();
    expect(announcementOf(offered, 'black')).toEqual({
      type: 'proposed',
      by: 'white',
      what: 'draw',
    });
    expect(announcementOf(declined, 'white')).toBeNull();
    expect(announcementOf(declined, 'black')).toEqual({ type: 'declined', what: 'draw' });
  });

  it('tell spectators when a proposal is made, but not when it is declined', () => {
    expect(announcementOf(offered, null)).toEqual({ type: 'proposed', by: 'white', what: 'draw' });
    expect(announcementOf(declined, null)).toBeNull();
  });

  it('include how long the server was down', () => {
    const clock = { white: 1, black: 1 };
    const event: GameEvent = { type: 'interrupted', from: 1000, until: 3500, clock };
    expect(announcementOf(event, null)).toEqual({ type: 'interrupted', ms: 2500 });
  });

  it('omit turns and hidden events', () => {
    expect(announcementOf({ type: 'played', color: 'white', turn: 'e2e4' }, 'black')).toBeNull();
    expect(announcementOf({ type: 'hidden' }, 'black')).toBeNull();
  });
});

describe('proposals', () => {
  it('are recognised by their events', () => {
    expect(proposedBy({ type: 'takeback-proposed', color: 'black' })).toBe('takeback');
    expect(proposedBy({ type: 'rematch-offered', color: 'black' })).toBe('rematch');
    expect(proposedBy(declined)).toBeNull();
  });
});
