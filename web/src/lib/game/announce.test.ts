// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { useFrench } from '../testing';
import type { Color, Game } from '../api';
import { announcementText, touchText } from './announce';
import type { Announcement } from './announcements';
import { chessStart, rulesForTests } from './fixtures';
import { GameRecord } from './record';

beforeAll(useFrench);

/** Returns the text for the player whose side is `you`; if that is null, for a spectator. */
function textFor(announcement: Announcement, you: Color | null): string {
  const record = GameRecord.replay(rulesForTests(), 'chess', chessStart, ['e2e4', 'e7e5']);
  const game = { touch: { squares: ['g1', 'f1'], obligation: null, adjusting: false } };
  return announcementText(announcement, { you, record, game: game as unknown as Game });
}

it('a player is told about the opponent, a spectator about a side', () => {
  const offer: Announcement = { type: 'proposed', by: 'white', what: 'draw' };
  expect(textFor(offer, 'black')).toBe('L’adversaire propose nulle.');
  expect(textFor(offer, null)).toBe('Les Blancs proposent nulle.');
  const gift: Announcement = { type: 'time-given', by: 'black', ms: 15_000 };
  expect(textFor(gift, 'white')).toBe('L’adversaire vous donne 15 secondes.');
  expect(textFor(gift, null)).toBe('Les Noirs donnent 15 secondes à leur adversaire.');
  expect(textFor({ type: 'joined' }, 'white')).toBe('Votre adversaire est là.');
  expect(textFor({ type: 'joined' }, null)).toBe('Les deux joueurs sont là.');
});

it('touched pieces are listed with commas', () => {
  const touched: Announcement = { type: 'touched', by: 'white', square: 'f1', obligation: null };
  expect(textFor(touched, 'black')).toMatch(/^cavalier blanc en g1, fou blanc en f1\s;/);
});

it('J’adoube said too late does not hide the obligation', () => {
  const { last } = GameRecord.replay(rulesForTests(), 'chess', chessStart, []);
  const touch = {
    squares: ['g1'],
    obligation: { type: 'must-move' as const, own: 'g1' },
    adjusting: true,
  };
  expect(touchText(touch, last, true)).toMatch(
    /^vous devez jouer cette pièce \(cavalier blanc en g1\)\. Vous adoubez/,
  );
});
