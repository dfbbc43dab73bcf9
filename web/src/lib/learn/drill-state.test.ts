import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Drill } from '../api';
import { rulesFrom } from '../rules-wasm';
import { PositionHandle, initSync } from '../wasm/adoube_wasm';
import { DrillState } from './drill-state.svelte';

initSync({ module: readFileSync(join(import.meta.dirname, '../wasm/adoube_wasm_bg.wasm')) });
const rules = rulesFrom(PositionHandle);

const smothered: Drill = {
  name: 'mate-smothered',
  group: 'turns',
  difficulty: 'hard',
  optional: false,
  clause: 'C16',
  fen: 'r6k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 1',
  before: [],
  goal: 'ends',
  manner: 'turn',
  man: null,
  solutions: ['b3g8'],
  then: [{ reply: 'a8g8', solutions: ['h6f7'] }],
};

describe('a drill of several turns', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("continues after the opponent's reply", () => {
    const attempt = new DrillState(rules, 'chess', smothered);
    attempt.play('b3g8');
    expect([attempt.verdict, attempt.canMove]).toEqual(['waiting', false]);
    vi.runAllTimers();
    expect([attempt.verdict, attempt.canMove]).toEqual(['open', true]);
    expect(attempt.position.view.fen).toMatch(/^6rk\/6pp\/7N/);
    attempt.play('h6f7');
    expect(attempt.verdict).toBe('right');
    attempt.reset();
    expect(attempt.position.view.fen).toBe(smothered.fen);
  });

  it('first takes back the wrong turn after the reply, then everything', () => {
    const attempt = new DrillState(rules, 'chess', smothered);
    attempt.play('h6f7');
    expect(attempt.verdict).toBe('wrong');
    expect(attempt.reply?.lines[0]?.text).toBe('drill-not-forced');
    attempt.reset();
    attempt.play('b3g8');
    vi.runAllTimers();
    attempt.play('h6g8');
    expect(attempt.verdict).toBe('wrong');
    expect(attempt.reply?.lines[0]?.text).toBe('drill-not-ends');
    attempt.reset();
    expect(attempt.position.view.fen).toMatch(/^6rk\/6pp\/7N/);
    // The first turn and the reply can still be taken back.
    expect(attempt.isTouched).toBe(true);
    attempt.reset();
    expect([attempt.position.view.fen, attempt.isTouched]).toEqual([smothered.fen, false]);
  });

  it('gets no reply after the page is left or everything is taken back', () => {
    const attempt = new DrillState(rules, 'chess', smothered);
    attempt.play('b3g8');
    attempt.reset();
    vi.runAllTimers();
    expect([attempt.position.view.fen, attempt.verdict]).toEqual([smothered.fen, 'open']);
    attempt.play('b3g8');
    attempt.leave();
    vi.runAllTimers();
    expect(attempt.verdict).toBe('waiting');
  });

  it('counts the occurrences of a position in all its turns', () => {
    const repeated: Drill = {
      ...smothered,
      name: 'repetition',
      group: 'draw',
      clause: 'C22',
      fen: '6k1/6p1/8/8/8/8/1q2QPPP/6K1 w - - 0 1',
      goal: 'repeats',
      solutions: ['e2e8'],
      then: [
        { reply: 'g8h7', solutions: ['e8h5'] },
        { reply: 'h7g8', solutions: ['h5e2'] },
      ],
    };
    const attempt = new DrillState(rules, 'chess', repeated);
    const expectOccurrences = (turn: string, count: number): void => {
      const explain = vi.spyOn(attempt.position, 'wrongTurn');
      attempt.play(turn);
      expect(attempt.verdict).toBe('wrong');
      expect(explain.mock.results).toMatchObject([{ value: [{ code: 'occurs', count }] }]);
    };
    const playToLastQuestion = (): void => {
      for (const turn of ['e2e8', 'e8h5']) {
        attempt.play(turn);
        vi.runAllTimers();
      }
    };
    playToLastQuestion();
    expectOccurrences('h5e8', 2);
    // Positions from an earlier attempt do not count.
    attempt.reset();
    attempt.reset();
    playToLastQuestion();
    expectOccurrences('h5e8', 2);
  });
});

describe('a wrong answer', () => {
  const drill = (manner: Drill['manner'], rest: Partial<Drill>): Drill => ({
    ...smothered,
    name: 'king-squares',
    group: 'king',
    clause: 'C4',
    fen: '3r3k/8/8/8/4K3/8/7b/8 w - - 0 1',
    manner,
    then: [],
    ...rest,
  });
  const clauses = (attempt: DrillState): readonly string[] =>
    attempt.reply?.lines.flatMap((line) => line.clauses.map(({ id }) => id)) ?? [];

  it("names the drill's clause after a turn", () => {
    const attempt = new DrillState(
      rules,
      'chess',
      drill('turn', { goal: 'checks', clause: 'C12', solutions: ['e4e3'] }),
    );
    attempt.play('e4f3');
    expect(attempt.verdict).toBe('wrong');
    expect(clauses(attempt)).toContain('C12');
  });

  it("names the clause forbidding each extra square, and the drill's own for missing ones", () => {
    const attempt = new DrillState(
      rules,
      'chess',
      drill('squares', {
        goal: 'moves',
        clause: 'C12',
        man: 'e4',
        solutions: ['e3', 'f3', 'f5'],
      }),
    );
    attempt.choose('e5');
    attempt.check();
    expect(attempt.reply?.lines.map(({ text }) => text)).toEqual(['drill-extra', 'drill-missing']);
    expect(clauses(attempt)).toEqual(['C4', 'C12']);
  });

  it('to a yes-or-no question is explained', () => {
    const attempt = new DrillState(
      rules,
      'chess',
      drill('choice', { goal: 'legal', solutions: ['no'] }),
    );
    attempt.answer('yes');
    expect(attempt.verdict).toBe('wrong');
    expect(clauses(attempt)).toEqual(['C4']);
    const why = attempt.reply?.lines;
    attempt.answer('no');
    expect(attempt.verdict).toBe('right');
    expect(attempt.reply?.lines).toEqual(why);
  });
});
