import { i18n, t } from '../i18n/i18n.svelte';
import type { Position, StepView } from '../rules';
import type { Color, Game } from '../api';
import type { PlayedTurn } from './record';

export function pieceName(color: Color, role: string): string {
  return t(`piece-${role}`, { color });
}

function stepWords(step: StepView, color: Color, role: string, isFirst: boolean): string {
  const piece = pieceName(color, role);
  const { from, to } = step;
  const words: string[] = [];
  if (!isFirst) words.push(t('announce-on', { to }));
  else if (from === to) words.push(t('announce-in-place', { piece, from }));
  else words.push(t('announce-move', { piece, from, to }));
  if (step.takes.length > 0) words.push(t('announce-takes', { squares: step.takes.join(', ') }));
  if (step.promotion)
    words.push(t('announce-promotion', { piece: pieceName(color, step.promotion) }));
  return words.join(', ');
}

/** A turn in a sentence that can be understood by ear alone. */
export function turnWords(turn: PlayedTurn, before: Position): string {
  const [first] = turn.steps;
  const piece = before.view.pieces.find(({ square }) => square === first?.from);
  const words = turn.steps.map((step) =>
    stepWords(step, turn.color, piece?.role ?? '', step === first),
  );
  if (turn.check) words.push(t('announce-check'));
  const sentence = words.join(', ');
  return `${sentence.charAt(0).toLocaleUpperCase(i18n.language)}${sentence.slice(1)}.`;
}

/** Who won, in words; empty while the game goes on. */
export function resultWords(game: Pick<Game, 'status'>): { result: string; reason: string } | null {
  if (game.status.type !== 'over') return null;
  const { result, reason } = game.status;
  const winner = result === '1-0' ? 'white' : result === '0-1' ? 'black' : 'draw';
  return { result: t(`result-${winner}`), reason: t(`reason-${reason}`) };
}
