// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { Square } from '../board';
import type { ManExplanationView, LegalView, PieceView, ReasonView } from '../rules';
import { i18n } from '../i18n/i18n.svelte';
import { manAnswer, reasonLine, stepAnswer } from './answer-text';

const clause = { id: 'I4', rules: 'interweave' } as const;
const remover: PieceView = { square: 'e4', color: 'white', role: 'remover' };
const smasher: PieceView = { square: 'b2', color: 'white', role: 'smasher' };

/** Returns a step with which a piece captures the pawns on the given squares. */
const step = (man: PieceView, to: Square, ...squares: Square[]): LegalView => ({
  man,
  to,
  takings: squares.map((square) => ({
    by: man,
    to,
    victim: { square, color: 'black', role: 'pawn' },
    method: man.square === to ? 'removal' : 'approach',
    with: null,
    imitating: false,
    clause,
    lines: [],
  })),
  castling: null,
  goesOn: false,
  givingUp: null,
});

const compulsory: ReasonView = {
  code: 'taking-compulsory',
  clause,
  man: null,
  other: null,
  second: null,
  at: null,
  color: null,
  distance: null,
  outcome: null,
  role: null,
  choices: [],
  taking: null,
  instead: [step(remover, 'e4', 'e5', 'f4'), step(smasher, 'b6', 'b7'), step(smasher, 'f2', 'g2')],
  lines: [],
};

describe('possible captures', () => {
  it('are listed with destinations, or with victims if the piece does not move', async () => {
    await i18n.use('en');
    expect(reasonLine(compulsory).text).toBe(
      'Capturing is compulsory. Possible captures: b2–b6/f2, e4 without moving (e5, f4).',
    );
  });
});

describe('a piece that cannot move', () => {
  const leaper: PieceView = { square: 'b1', color: 'white', role: 'leaper' };
  const bar = (code: ReasonView['code'], other: PieceView, id = 'I2'): ReasonView => ({
    ...compulsory,
    code,
    clause: { id, rules: 'interweave' },
    man: leaper,
    other,
    at: other.square,
    instead: [],
  });
  const about = (exclusions: ReasonView[], holding: ReasonView[] = []): ManExplanationView => ({
    man: leaper,
    toMove: true,
    holding,
    exclusions,
    steps: [],
  });
  const on = (square: Square): PieceView => ({ ...smasher, square });

  it('is described by the conclusion, then by one sentence per kind of obstacle and clause', async () => {
    await i18n.use('en');
    const { lines } = manAnswer(
      about([
        bar('own-man', on('a1')),
        bar('blocked', on('c2')),
        bar('own-man', on('c1')),
        bar('own-man', on('a2'), 'I3'),
      ]),
    );
    expect(lines.map(({ text, clauses }) => [text, clauses.map(({ id }) => id)])).toEqual([
      ['Cannot move.', []],
      ['Its own side occupies a1, c1.', ['I2']],
      ['The white smasher on c2 is in the way.', ['I2']],
      ['The white smasher on a2 belongs to the same side.', ['I3']],
    ]);
  });

  it('has one sentence for each reason of a kind that is not grouped', async () => {
    await i18n.use('en');
    const frozen = bar('frozen-by-immobilizer', on('d4'));
    expect(manAnswer(about([], [frozen, frozen])).lines).toHaveLength(3);
  });

  it('and an illegal step are explained alike', async () => {
    await i18n.use('en');
    const reasons = [bar('occupied', on('c1')), bar('occupied', on('d1'))];
    expect(stepAnswer(leaper, 'd1', { legal: null, reasons }).lines).toEqual([
      {
        text: 'The other side occupies c1, d1, and the white leaper does not capture by landing.',
        clauses: [{ id: 'I2', rules: 'interweave' }],
      },
    ]);
  });
});
