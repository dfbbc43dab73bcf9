import { describe, expect, it } from 'vitest';
import type { GameEvent } from '../api';
import { happeningOf, proposedBy } from './happenings';

const offered: GameEvent = { type: 'draw-offered', color: 'white' };
const declined: GameEvent = { type: 'draw-declined', color: 'white' };

describe('announcements of events', () => {
  it("omit the visitor's own proposals and answers", () => {
    expect(happeningOf(offered, 'white')).toBeNull();
    expect(happeningOf(offered, 'black')).toEqual({ type: 'proposed', what: 'draw' });
    expect(happeningOf(declined, 'white')).toBeNull();
    expect(happeningOf(declined, 'black')).toEqual({ type: 'declined', what: 'draw' });
  });

  it('tell spectators about proposals, but not about answers', () => {
    expect(happeningOf(offered, null)).toEqual({ type: 'proposed', what: 'draw' });
    expect(happeningOf(declined, null)).toBeNull();
  });

  it('include the duration of a server downtime', () => {
    const clock = { white: 1, black: 1 };
    const event: GameEvent = { type: 'interrupted', from: 1000, until: 3500, clock };
    expect(happeningOf(event, null)).toEqual({ type: 'interrupted', ms: 2500 });
  });

  it('omit turns and hidden events', () => {
    expect(happeningOf({ type: 'played', color: 'white', turn: 'e2e4' }, 'black')).toBeNull();
    expect(happeningOf({ type: 'hidden' }, 'black')).toBeNull();
  });
});

describe('proposals', () => {
  it('are recognised by their events', () => {
    expect(proposedBy({ type: 'takeback-proposed', color: 'black' })).toBe('takeback');
    expect(proposedBy({ type: 'rematch-offered', color: 'black' })).toBe('rematch');
    expect(proposedBy(declined)).toBeNull();
  });
});
