import { beforeAll, describe, expect, it } from 'vitest';
import type { Position, Rules } from '../rules';
import { chess, rulesForTests } from './fixtures';
import { carriedOut, Foresight, withPlan } from './plan';
import type { Role } from '../variants';

let rules: Rules;
beforeAll(() => {
  rules = rulesForTests();
});

const between = (steps: readonly { from: string; to: string }[]): string[] =>
  steps.map(({ from, to }) => `${from}${to}`);

/** The position, and those after it; what is played on them is noted. */
const noting = (position: Position, played: string[]): Position =>
  new Proxy(position, {
    get: (target, key) =>
      key === 'play'
        ? (step: string): Position => {
            played.push(step);
            return noting(target.play(step), played);
          }
        : (Reflect.get(target, key, target) as unknown),
  });

describe('Foresight', () => {
  it('knows the steps that some turn of the other side makes legal', () => {
    const position = rules.fromFen('chess', chess).playTurn('e2e4');
    const steps = between(new Foresight(position).steps([]));
    // Takes on d5 if a pawn comes there; takes back on its own man's square if that was taken.
    expect(steps).toContain('e4d5');
    expect(steps).toContain('g1f3');
    expect(steps).not.toContain('e4c6');
    expect(steps).not.toContain('e1g1');
  });

  it('knows how to take back', () => {
    const position = rules.fromFen('chess', '4k3/8/8/3q4/8/2N5/8/3QK3 b - - 0 1').playTurn('d5d1');
    expect(position.view.turn).toBe('white');
    const before = rules.fromFen('chess', '4k3/8/8/3r4/3N4/8/8/3QK3 b - - 0 1');
    expect(between(new Foresight(before).steps([]))).toContain('d1d4');
  });

  it('goes on with a chain and stops where no chain can', () => {
    // Whatever Black plays, the leaper takes a2 and then has to go on.
    const position = rules.fromFen('interweave', '6kk/8/8/8/8/1r6/r7/N5KK[] b - - 0 1');
    const foresight = new Foresight(position);
    const first = foresight.steps([]).find(({ text }) => text === 'a1a3');
    expect(first?.takes).toEqual([]);
    if (!first) return;
    const next = foresight.steps([first]);
    expect(next.length).toBeGreaterThan(0);
    expect(new Set(next.map(({ from }) => from))).toEqual(new Set(['a3']));
    const [second] = next;
    if (second)
      expect(foresight.steps([first, second]).every(({ from }) => from === second.to)).toBe(true);
    const quiet = new Foresight(rules.fromFen('chess', chess));
    const [step] = quiet.steps([]);
    if (step) expect(quiet.steps([step])).toEqual([]);
  });

  it.each(['chess', 'baroque', 'interweave', 'ultima'] as const)(
    'plays each turn once in %s',
    (variant) => {
      const played: string[] = [];
      const position = noting(rules.initial(variant), played);
      const foresight = new Foresight(position);
      foresight.steps([]);
      foresight.steps([]);
      // Looked at while the other side thinks; a page must not stand still for it.
      expect(played).toEqual(position.view.steps.map(({ text }) => text));
    },
  );
});

describe('a planned turn', () => {
  const step = (from: string, to: string, promotion: Role | null = null) => ({
    from: from as 'a1',
    to: to as 'a1',
    alsoTo: [],
    promotion,
    takes: [],
    text: `${from}${to}`,
  });

  it('is shown with its men where they would stand', () => {
    const pieces = new Map([
      ['a7', { color: 'white', role: 'pawn' }],
      ['a8', { color: 'black', role: 'rook' }],
    ] as const);
    const after = withPlan(pieces, [step('a7', 'a8', 'queen')]);
    expect([...after]).toEqual([['a8', { color: 'white', role: 'queen' }]]);
  });

  it('is carried out step by step, or not at all', () => {
    const position = rules.fromFen('interweave', '6kk/8/8/8/8/1r6/r7/N5KK[] w - - 0 1');
    const whole = carriedOut(position, [step('a1', 'a3'), step('a3', 'e3')]);
    expect(whole?.at(-1)?.after.under).toBe('a1a3e3');
    expect(carriedOut(position, [step('a1', 'a3')])?.at(-1)?.after.view.chain).toBe('a3');
    expect(carriedOut(position, [step('a1', 'a3'), step('a3', 'a4')])).toBeNull();
    expect(carriedOut(position, [step('g1', 'g2')])).toBeNull();
  });
});
