import type { Color, GameEvent, Obligation } from '../api';
import type { Position } from '../rules';
import type { PlayedTurn } from './record';

/** Proposals that players can make to each other. */
export const proposals = ['draw', 'takeback', 'rematch'] as const;
export type Proposal = (typeof proposals)[number];

/** An event that is announced to the visitor. */
export type Announcement =
  | { type: 'turn'; turn: PlayedTurn; before: Position }
  | { type: 'joined' }
  | { type: 'proposed'; by: Color; what: Proposal }
  | { type: 'declined'; what: Proposal }
  | { type: 'taken-back'; plies: number }
  | { type: 'time-given'; by: Color; ms: number }
  | { type: 'touched'; by: Color; square: string; obligation: Obligation | null }
  | { type: 'adjusted'; by: Color }
  | { type: 'interrupted'; ms: number }
  | { type: 'plan-dropped' }
  | { type: 'rematch'; next: string }
  | { type: 'ended' };

/** Returns the proposal that an event makes, or null. */
export function proposedBy(event: GameEvent): Proposal | null {
  switch (event.type) {
    case 'draw-offered':
      return 'draw';
    case 'takeback-proposed':
      return 'takeback';
    case 'rematch-offered':
      return 'rematch';
    default:
      return null;
  }
}

function announceProposal(what: Proposal, by: Color, you: Color | null): Announcement | null {
  return by === you ? null : { type: 'proposed', by, what };
}

function announceDecline(what: Proposal, by: Color, you: Color | null): Announcement | null {
  return you === null || by === you ? null : { type: 'declined', what };
}

/**
 * Returns the announcement for an event from the server; null if it needs none. `you` is the
 * visitor's side; null for a spectator. Turns are announced when they are shown; proposals that the
 * visitor makes or declines need no announcement.
 */
export function announcementOf(event: GameEvent, you: Color | null): Announcement | null {
  switch (event.type) {
    case 'joined':
      return { type: 'joined' };
    case 'draw-offered':
      return announceProposal('draw', event.color, you);
    case 'draw-declined':
      return announceDecline('draw', event.color, you);
    case 'takeback-proposed':
      return announceProposal('takeback', event.color, you);
    case 'takeback-declined':
      return announceDecline('takeback', event.color, you);
    case 'taken-back':
      return { type: 'taken-back', plies: event.plies };
    case 'time-given':
      return { type: 'time-given', by: event.color, ms: event.ms };
    case 'touched': {
      const { color: by, square, obligation } = event;
      return { type: 'touched', by, square, obligation };
    }
    case 'adjusted':
      return { type: 'adjusted', by: event.color };
    case 'interrupted':
      return { type: 'interrupted', ms: event.until - event.from };
    case 'ended':
      return { type: 'ended' };
    case 'rematch-offered':
      return announceProposal('rematch', event.color, you);
    case 'rematch-declined':
      return announceDecline('rematch', event.color, you);
    case 'rematch-accepted':
      return { type: 'rematch', next: event.next };
    case 'played':
    case 'conditions-set':
    case 'hidden':
      return null;
  }
}
