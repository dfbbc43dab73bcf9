import { beforeAll, describe, expect, it } from 'vitest';
import type { Position, Rules } from '../rules';
import { chessStart, rulesForTests } from './fixtures';
import { TurnInProgress } from './turn-in-progress.svelte';

// The leaper on a1 can capture a2. If it lands on a3 or a5, it must then capture b3, which it can
// do in three ways from a3 and in one way from a5.
const chain = '6kk/8/8/8/8/1r6/r7/N5KK[] w - - 0 1';

let rules: Rules;
beforeAll(() => {
  rules = rulesForTests();
});

function startTurn(start: Position): TurnInProgress {
  return new TurnInProgress(() => start);
}

describe('a turn in progress', () => {
  it('is complete after its first step unless a chain continues', () => {
    const turn = startTurn(rules.fromFen('chess', chessStart));
    expect([turn.isEmpty, turn.text]).toEqual([true, '']);
    const complete = turn.play('e2e4');
    expect(complete?.text).toBe('e2e4');
    // It stays on the board until it is cleared.
    expect(turn.position.view.turn).toBe('black');
    turn.clear();
    expect(turn.position.view.turn).toBe('white');
  });

  it('continues a chain, and undoes steps', () => {
    const turn = startTurn(rules.fromFen('interweave', chain));
    expect(turn.play('a1a3')).toBeNull();
    expect([turn.text, turn.steps.map(({ text }) => text)]).toEqual(['a1a3', ['a1a3']]);
    turn.undo();
    expect(turn.isEmpty).toBe(true);
    turn.play('a1a3');
    expect(turn.play('a3e3')?.text).toBe('a1a3e3');
    expect(turn.steps).toHaveLength(2);
  });

  it('rejects an illegal step and does not change', () => {
    const turn = startTurn(rules.fromFen('chess', chessStart));
    expect(() => turn.play('e2e5')).toThrow();
    expect(turn.isEmpty).toBe(true);
  });

  it('plays all of the planned steps or none', () => {
    const turn = startTurn(rules.fromFen('interweave', chain));
    expect(turn.playAll(['a1a3', 'a3e3'])?.complete?.text).toBe('a1a3e3');
    turn.clear();
    expect(turn.playAll(['a1a3'])).toEqual({ complete: null });
    expect(turn.text).toBe('a1a3');
    turn.clear();
    expect(turn.playAll(['a1a3', 'a3a4'])).toBeNull();
    expect(turn.playAll(['g1g2'])).toBeNull();
    expect(turn.isEmpty).toBe(true);
  });

  it('starts from the position given by its owner', () => {
    let start = rules.fromFen('chess', chessStart);
    const turn = new TurnInProgress(() => start);
    const complete = turn.play('e2e4');
    if (complete) start = complete.after;
    turn.clear();
    expect(turn.play('e7e5')?.after.view.turn).toBe('white');
  });
});
