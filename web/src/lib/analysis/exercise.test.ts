import { describe, expect, it } from 'vitest';
import { rulesForTests } from '../game/fixtures';
import { RefusalError } from '../refusal';
import { Exercise } from './exercise.svelte';
import type { Evaluation, JudgedTurn } from './report';
import type { ReportState } from './report-state.svelte';
import { Tree } from './tree.svelte';

const equal: Evaluation = { expected: 0.5, best: null };

/** Sets up an exercise in the initial position. The test settles each evaluation itself. */
function setUp() {
  const searches: {
    resolve(found: Evaluation | null): void;
    reject(error: RefusalError): void;
  }[] = [];
  const evaluate = (): Promise<Evaluation | null> =>
    new Promise((resolve, reject) => searches.push({ resolve, reject }));
  const tree = new Tree(rulesForTests().initial('chess'));
  const before = { index: 0, color: 'white', before: equal, after: equal, loss: 0.2 } as const;
  const judged: JudgedTurn = { ...before, verdict: 'mistake' };
  const report = { evaluate } as unknown as ReportState;
  return { exercise: new Exercise(report, tree, judged), searches };
}

describe('an attempt', () => {
  it('is still being judged when the engine abandons an earlier one', async () => {
    const { exercise, searches } = setUp();
    const first = exercise.play('a2a3');
    exercise.again();
    expect(exercise.isJudging).toBe(false);
    // The second search stops the first one, even if the turn is the same.
    const second = exercise.play('a2a3');
    searches[0]?.resolve(null);
    await first;
    expect([exercise.isJudging, exercise.grade]).toEqual([true, null]);
    searches[1]?.resolve(equal);
    await second;
    expect([exercise.isJudging, exercise.grade]).toEqual([false, 'good']);
  });

  it('is not affected by the failure of an earlier one', async () => {
    const { exercise, searches } = setUp();
    const first = exercise.play('a2a3');
    exercise.again();
    const second = exercise.play('b2b3');
    searches[0]?.reject(new RefusalError({ code: 'engine-load', args: {} }));
    await first;
    expect([exercise.isJudging, exercise.refusal]).toEqual([true, null]);
    searches[1]?.resolve(equal);
    await second;
    expect(exercise.grade).toBe('good');
  });
});
