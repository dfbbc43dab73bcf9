import { t } from '../i18n/i18n.svelte';
import type { Position, StepView } from '../rules';
import type { Color, Game } from '../api';
import type { PlayedTurn } from './record';

export function pieceName(color: Color, role: string): string {
  return t(`piece-${role}`, { color });
}

function stepWords(step: StepView, side: string, before: Position): string {
  const piece = before.view.pieces.find(({ square }) => square === step.from);
  const name = piece ? pieceName(piece.color, piece.role) : '';
  const words = [
    step.from === step.to
      ? t('announce-in-place', { side, piece: name, from: step.from })
      : t('announce-move', { side, piece: name, from: step.from, to: step.to }),
  ];
  if (step.takes.length > 0) words.push(t('announce-takes', { squares: step.takes.join(', ') }));
  if (step.promotion && piece)
    words.push(t('announce-promotion', { piece: pieceName(piece.color, step.promotion) }));
  return words.join(', ');
}

/** A turn in a sentence that can be understood by ear alone. */
export function turnWords(turn: PlayedTurn, before: Position): string {
  const side = t('announce-side', { color: turn.color });
  let position = before;
  const steps: string[] = [];
  for (const step of turn.steps) {
    steps.push(stepWords(step, side, position));
    if (step !== turn.steps.at(-1)) position = position.play(step.text);
  }
  const words = steps.join(' ; ');
  return turn.check ? `${words}, ${t('announce-check')}.` : `${words}.`;
}

/** Who won, in words; empty while the game goes on. */
export function resultWords(game: Pick<Game, 'status'>): { result: string; reason: string } | null {
  if (game.status.type !== 'over') return null;
  const { result, reason } = game.status;
  const winner = result === '1-0' ? 'white' : result === '0-1' ? 'black' : 'draw';
  return { result: t(`result-${winner}`), reason: t(`reason-${reason}`) };
}
