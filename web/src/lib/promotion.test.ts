import { expect, it } from 'vitest';
import { withUsualPromotion } from './promotion';

const step = (from: string, to: string, promotion: string | null = null) => ({
  from,
  to,
  promotion,
});

it('promotes to the strongest chess piece, and leaves other steps alone', () => {
  const quiet = step('e1', 'e2');
  const queen = step('a7', 'a8', 'queen');
  const capture = step('a7', 'b8', 'queen');
  const steps = [
    step('a7', 'a8', 'knight'),
    queen,
    step('a7', 'a8', 'rook'),
    quiet,
    capture,
    step('a7', 'b8', 'bishop'),
  ];
  expect(withUsualPromotion('chess', steps)).toEqual([queen, quiet, capture]);
});

it('keeps all steps where every promotion may be useful', () => {
  const steps = [step('a7', 'a8', 'leaper'), step('a7', 'a8', 'smasher')];
  expect(withUsualPromotion('interweave', steps)).toEqual(steps);
});
