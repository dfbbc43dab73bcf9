import { beforeAll, describe, expect, it } from 'vitest';
import type { BoardPiece } from '../board';
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
      companion: null,
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
  it.each([
    { played: 'e1g1', fen: '4k3/8/8/8/8/8/8/4K2R b K - 0 1', king: 'g1', rook: 'f1' },
    // Chess960: the king and the rook swap squares.
    { played: 'f1g1', fen: '4k3/8/8/8/8/8/8/5KR1 b G - 0 1', king: 'g1', rook: 'f1' },
    // Chess960: the rook stays where it is.
    { played: 'f1d1', fen: '4k3/8/8/8/8/8/8/3R1K2 b D - 0 1', king: 'c1', rook: 'd1' },
  ] as const)('shows both men after they castle with $played', ({ played, fen, king, rook }) => {
    const position = rules.fromFen('chess', fen);
    const pieces = new Map(
      position.view.pieces.map(({ square, color, role }) => [square, { color, role }]),
    );
    const step = position.stepsToPlan([]).find(({ text }) => text === played);
    const after = withPlan(pieces, step ? [step] : []);
    expect(after).toEqual(
      new Map<string, BoardPiece>([
        ['e8', { color: 'black', role: 'king' }],
        [king, { color: 'white', role: 'king' }],
        [rook, { color: 'white', role: 'rook' }],
      ]),
    );
  });
});
