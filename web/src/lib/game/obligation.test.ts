import { beforeAll, describe, expect, it } from 'vitest';
import type { Rules } from '../rules';
import { rulesForTests } from './fixtures';
import { allowedSteps } from './obligation';

let rules: Rules;
beforeAll(() => {
  rules = rulesForTests();
});

const between = (steps: readonly { from: string; to: string }[]): string[] =>
  steps.map(({ from, to }) => `${from}${to}`).sort();

describe('what a touch binds to', () => {
  // White pawns on e4 and g4 and a rook on f1; a black knight on f5.
  const fen = '4k3/8/8/5n2/4P1P1/8/8/4KR2 w - - 0 1';

  it('leaves everything free without one', () => {
    const position = rules.fromFen('chess', fen);
    expect(allowedSteps(position, [], null)).toHaveLength(position.view.steps.length);
  });

  it('is to move the own man (C13)', () => {
    const steps = allowedSteps(rules.fromFen('chess', fen), [], { type: 'must-move', own: 'e4' });
    expect(between(steps)).toEqual(['e4e5', 'e4f5']);
  });

  it('is to take the enemy with whatever can (C13)', () => {
    const steps = allowedSteps(rules.fromFen('chess', fen), [], { type: 'must-take', enemy: 'f5' });
    expect(between(steps)).toEqual(['e4f5', 'f1f5', 'g4f5']);
  });

  it('is to take the one with the other (C13)', () => {
    const obligation = { type: 'must-take-with', own: 'g4', enemy: 'f5' } as const;
    expect(between(allowedSteps(rules.fromFen('chess', fen), [], obligation))).toEqual(['g4f5']);
  });

  it('can be met by a later step of a chain', () => {
    const position = rules.fromFen('interweave', '6kk/8/8/8/8/1r6/r7/N5KK[] w - - 0 1');
    const obligation = { type: 'must-take', enemy: 'b3' } as const;
    const first = allowedSteps(position, [], obligation);
    expect(between(first)).toContain('a1a3');
    const step = first.find(({ text }) => text === 'a1a3');
    if (!step) return;
    const next = position.play(step.text);
    expect(allowedSteps(next, [step], obligation).every(({ takes }) => takes.includes('b3'))).toBe(
      true,
    );
  });
});
