import { expect, it } from 'vitest';
import { settingsOf, startsOf, type GameRequest } from './game-request';

const request: GameRequest = {
  variant: 'chess',
  opponent: 'friend',
  color: 'white',
  control: { type: 'unlimited' },
  touchMove: false,
  drawRules: 'club',
  casual: true,
  start: 'usual',
  number: 0,
  fen: '',
  games: '1',
};

it('omits settings that have their default value', () => {
  expect(settingsOf(request)).toEqual({ variant: 'chess' });
  expect(settingsOf({ ...request, start: 'fen', fen: '  ' })).toEqual({ variant: 'chess' });
});

it('includes every setting that is not the default', () => {
  const control = { type: 'fischer', initialMs: 300_000, incrementMs: 3000 } as const;
  const unusual = {
    ...request,
    control,
    touchMove: true,
    drawRules: 'fide',
    casual: false,
  } as const;
  expect(settingsOf({ ...unusual, games: '5', start: 'different' })).toEqual({
    variant: 'chess',
    timeControl: control,
    touchMove: true,
    drawRules: 'fide',
    casual: false,
    games: 5,
    shuffle: { type: 'random', sides: 'different' },
  });
});

it('uses the number of a shuffled start for both sides, and trims a FEN', () => {
  expect(settingsOf({ ...request, start: 'number', number: 518 }).shuffle).toEqual({
    type: 'number',
    white: 518,
    black: 518,
  });
  expect(settingsOf({ ...request, start: 'fen', fen: ' 8/8 w ' }).fen).toBe('8/8 w');
});

it('offers the named starts of a game', () => {
  expect(startsOf('baroque')).toContain('kings-facing');
  expect(startsOf('chess')).not.toContain('kings-facing');
  const facing = { ...request, variant: 'baroque', start: 'kings-facing' } as const;
  expect(settingsOf(facing).shuffle).toEqual({ type: 'number', white: 6412, black: 5348 });
  // A game without this start ignores it.
  expect(settingsOf({ ...facing, variant: 'chess' })).toEqual({ variant: 'chess' });
});

it('omits `casual` and `games` against the machine', () => {
  expect(settingsOf({ ...request, opponent: 'machine', casual: false, games: '3' })).toEqual({
    variant: 'chess',
  });
});
