// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { Square } from '../board';
import type { LegalView, PieceView, ReasonView } from '../rules';
import { i18n } from '../i18n/i18n.svelte';
import { reasonLine } from './answer-text';

const clause = { id: 'I4', rules: 'interweave' } as const;
const remover: PieceView = { square: 'e4', color: 'white', role: 'remover' };
const smasher: PieceView = { square: 'b2', color: 'white', role: 'smasher' };

/** Returns a step of a piece that captures the pawns on some squares. */
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
