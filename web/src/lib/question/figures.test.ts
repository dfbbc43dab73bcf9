import { describe, expect, it } from 'vitest';
import type { PieceView, StepAnswer, TakingView } from '../rules';
import { manFigure, stepFigure } from './figures';

const king: PieceView = { square: 'h7', color: 'white', role: 'king' };
const coordinator: PieceView = { square: 'c2', color: 'white', role: 'coordinator' };
const withdrawer: PieceView = { square: 'c7', color: 'black', role: 'withdrawer' };

const taking: TakingView = {
  by: coordinator,
  to: 'c5',
  victim: withdrawer,
  method: 'coordination',
  with: king.square,
  imitating: false,
  clause: { id: 'B7', rules: 'baroque' },
  lines: [
    ['c5', 'c7'],
    ['c7', 'h7'],
  ],
};
const legal = {
  man: coordinator,
  to: 'c5',
  takings: [taking],
  castling: null,
  goesOn: false,
  givingUp: null,
} as const;

describe('figures', () => {
  it('show how a step captures', () => {
    const answer: StepAnswer = { legal: { ...legal, takings: [taking] }, reasons: [] };
    expect(stepFigure('c2', 'c5', answer)).toEqual([
      { from: 'c5', to: 'c7', brush: 'alt', shape: 'line' },
      { from: 'c7', to: 'h7', brush: 'alt', shape: 'line' },
      { from: 'c2', to: 'c5', brush: 'plain' },
      { from: 'c7', to: 'c7', brush: 'shift' },
    ]);
  });

  it('mark a piece only once if it can be captured in two ways', () => {
    const step = { ...legal, takings: [taking] };
    const steps = [step, { ...step, to: 'c6' as const }];
    const drawings = manFigure({
      man: coordinator,
      toMove: true,
      holding: [],
      exclusions: [],
      steps,
    });
    expect(drawings.filter(({ from }) => from === 'c7')).toHaveLength(1);
    expect(drawings.filter(({ shape }) => shape === 'dot')).toHaveLength(2);
  });

  it('ring a piece that may be given up, just like a captured one', () => {
    const givingUp = { id: 'U14', rules: 'ultima' } as const;
    const step = { ...legal, to: coordinator.square, takings: [], givingUp };
    const ring = { from: 'c2', to: 'c2', brush: 'shift' };
    expect(stepFigure('c2', 'c2', { legal: step, reasons: [] })).toEqual([ring]);
    const about = { man: coordinator, toMove: true, holding: [], exclusions: [] };
    expect(manFigure({ ...about, steps: [step] })).toEqual([ring]);
    expect(manFigure({ ...about, steps: [] })).toEqual([{ ...ring, brush: 'plain' }]);
  });

  it('show the attempted step and why it is illegal', () => {
    const reasons: StepAnswer['reasons'] = [
      {
        code: 'frozen-by-immobilizer',
        clause: { id: 'B4', rules: 'baroque' },
        man: coordinator,
        other: withdrawer,
        second: null,
        at: null,
        color: null,
        distance: null,
        outcome: null,
        role: null,
        choices: [],
        taking: null,
        instead: [],
        lines: [['c7', 'c2']],
      },
    ];
    expect(stepFigure('c2', 'c3', { legal: null, reasons })).toEqual([
      { from: 'c2', to: 'c3', brush: 'shift-alt' },
      { from: 'c7', to: 'c2', brush: 'shift', shape: 'line' },
      { from: 'c7', to: 'c7', brush: 'shift' },
    ]);
  });
});
