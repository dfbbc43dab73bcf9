import { expect, it } from 'vitest';
import { chessStart, rulesForTests } from './fixtures';
import { menAhead, takenMen } from './material';
import { GameRecord } from './record';
import { rolesOf } from '../pieces/sets';

it('lists the men taken up to a turn, and counts the lead in men', () => {
  const turns = ['e2e4', 'd7d5', 'e4d5', 'd8d5', 'b1c3', 'd5d2', 'd1d2'];
  const record = GameRecord.replay(rulesForTests(), 'chess', chessStart, turns);
  const roles = rolesOf('chess');
  expect(takenMen(record, 7, 'black', roles)).toEqual([
    { role: 'pawn', count: 1 },
    { role: 'queen', count: 1 },
  ]);
  expect(takenMen(record, 7, 'white', roles)).toEqual([{ role: 'pawn', count: 2 }]);
  expect(takenMen(record, 3, 'white', roles)).toEqual([]);
  expect([3, 4, 7].map((ply) => menAhead(record, ply, 'white'))).toEqual([1, 0, 0]);
});

it('lists all men that a chain has taken', () => {
  const fen = 'k6k/8/2r5/1n1nK3/8/8/8/7K[] w - - 0 1';
  const record = GameRecord.replay(rulesForTests(), 'interweave', fen, ['e5c5a5']);
  expect(takenMen(record, 1, 'black', rolesOf('interweave'))).toEqual([
    { role: 'leaper', count: 2 },
  ]);
  expect(menAhead(record, 1, 'black')).toBe(1);
});
