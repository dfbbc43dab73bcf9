import { beforeAll, describe, expect, it } from 'vitest';
import type { Rules, StepView } from '../rules';
import { variants } from '../variants';
import { chessStart, rulesForTests } from './fixtures';
import { withPlan } from './plan';

let rules: Rules;
beforeAll(() => {
  rules = rulesForTests();
});

const coordinatesOf = (steps: readonly StepView[]): string[] =>
  steps.map(({ from, to }) => `${from}${to}`);

describe('the steps that can be planned', () => {
  it('are legal after some reply by the opponent', () => {
    const position = rules.fromFen('chess', chessStart).playTurn('e2e4');
    const steps = coordinatesOf(position.stepsToPlan([]));
    // Captures on d5 if a pawn moves there.
    expect(steps).toContain('e4d5');
    expect(steps).toContain('g1f3');
    expect(steps).not.toContain('e4c6');
    expect(steps).not.toContain('e1g1');
  });

  it("include recaptures on squares that the visitor's own pieces occupy", () => {
    const before = rules.fromFen('chess', '4k3/8/8/3r4/3N4/8/8/3QK3 b - - 0 1');
    expect(coordinatesOf(before.stepsToPlan([]))).toContain('d1d4');
  });

  it('continue a chain and stop where no chain is possible', () => {
    // If both smashers stay, the leaper captures the one on a2 and must then continue.
    const position = rules.fromFen('interweave', '6kk/8/8/8/8/1r6/r7/N5KK[] b - - 0 1');
    const first = position.stepsToPlan([]).find(({ text }) => text === 'a1a3');
    expect(first?.takes).toEqual([]);
    const next = position.stepsToPlan(['a1a3']);
    expect(new Set(next.map(({ from }) => from))).toEqual(new Set(['a3']));
    expect(rules.fromFen('chess', chessStart).stepsToPlan(['e7e5'])).toEqual([]);
  });

  it.each(variants)('exist in %s', (variant) => {
    expect(rules.initial(variant).stepsToPlan([]).length).toBeGreaterThan(10);
  });
});

describe('a planned turn', () => {
  it('is shown with its pieces on the squares where they would stand', () => {
    const step: StepView = {
      from: 'a7',
      to: 'a8',
      alsoTo: [],
      promotion: 'queen',
      takes: [],
      text: 'a7a8q',
    };
    const pieces = new Map([
      ['a7', { color: 'white', role: 'pawn' }],
      ['a8', { color: 'black', role: 'rook' }],
    ] as const);
    expect([...withPlan(pieces, [step])]).toEqual([['a8', { color: 'white', role: 'queen' }]]);
  });
});
