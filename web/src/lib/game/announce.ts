import { i18n, t } from '../i18n/i18n.svelte';
import { outcomeText, pieceName } from '../i18n/names';
import { capitalize } from '../question/answer-text';
import type { Position, StepView, TurnView } from '../rules';
import type { Color, Game, Obligation, TouchState } from '../api';
import type { Sound } from '../sounds';
import type { GameState } from './game-state.svelte';
import type { Announcement } from './announcements';

function stepText(step: StepView, color: Color, piece: string, isFirst: boolean): string {
  const { from, to } = step;
  const words: string[] = [];
  if (!isFirst) words.push(t('announce-on', { to }));
  else if (from === to && step.takes.length > 0)
    words.push(t('announce-in-place', { piece, from }));
  // A piece that stays and captures nothing is given up (U14).
  else if (from === to) words.push(t('announce-given-up', { piece, from }));
  else words.push(t('announce-move', { piece, from, to }));
  if (step.takes.length > 0) words.push(t('announce-takes', { squares: step.takes.join(', ') }));
  if (step.promotion)
    words.push(t('announce-promotion', { piece: pieceName(color, step.promotion) }));
  return words.join(', ');
}

/** Describes a turn in words, for visitors who cannot see the board or do not know notation. */
export function turnWords(turn: TurnView, before: Position): string {
  const [first] = turn.steps;
  if (!first) return t('announce-null-move', { color: turn.color });
  const man = before.view.pieces.find(({ square }) => square === first.from);
  const piece = man ? pieceName(turn.color, man.role) : '';
  const words = turn.steps.map((step) => stepText(step, turn.color, piece, step === first));
  if (turn.check) words.push(t('announce-check'));
  return words.join(', ');
}

/** Describes a turn in a sentence. */
export function turnText(turn: TurnView, before: Position): string {
  const sentence = turnWords(turn, before);
  return `${sentence.charAt(0).toLocaleUpperCase(i18n.language)}${sentence.slice(1)}.`;
}

/**
 * Describes the result, from the visitor's point of view if `you` is a side; null before the game
 * is over.
 */
export function resultText(
  game: Pick<Game, 'status'>,
  you: Color | null = null,
): { result: string; reason: string } | null {
  if (game.status.type !== 'over') return null;
  const { result, reason } = game.status;
  const ends = { '1-0': 'white', '0-1': 'black', '1/2-1/2': 'draw', '*': 'none' } as const;
  // If the game was lost by repetition, the reason says that the repeating side lost.
  const isLostByRepetition = reason === 'repetition' && result !== '1/2-1/2';
  const winner = ends[result];
  const isWon = winner === 'white' || winner === 'black';
  const name = !isWon || you === null ? winner : winner === you ? 'you-won' : 'you-lost';
  return {
    result: t(`result-${name}`),
    reason: isLostByRepetition ? t('reason-repetition-lost') : outcomeText(reason),
  };
}

/** Names a square and the piece on it, such as `cavalier blanc en g1`; only the square if empty. */
function pieceOn(position: Position, square: string): string {
  const piece = position.view.pieces.find((each) => each.square === square);
  return piece ? t('touch-man', { piece: pieceName(piece.color, piece.role), square }) : square;
}

/** Describes the touched pieces and the obligation; `mine` is true if the visitor is to move. */
export function touchText(touch: TouchState, position: Position, mine: boolean): string {
  const who = mine ? 'you' : position.view.turn;
  const { obligation } = touch;
  if (touch.adjusting) {
    const adjusting = t('touch-adjusting', { who });
    // J’adoube does not cancel an obligation that already exists (C14).
    return obligation === null
      ? adjusting
      : `${obligationText(obligation, who, position)} ${capitalize(adjusting)}`;
  }
  if (obligation === null) {
    const men = touch.squares.map((square) => pieceOn(position, square)).join(', ');
    return men === '' ? t('touch-nothing') : t('touch-free', { men });
  }
  return obligationText(obligation, who, position);
}

function obligationText(obligation: Obligation, who: Color | 'you', position: Position): string {
  switch (obligation.type) {
    case 'must-move':
      return t('touch-must-move', { who, own: pieceOn(position, obligation.own) });
    case 'must-take':
      return t('touch-must-take', { who, enemy: pieceOn(position, obligation.enemy) });
    case 'must-take-with':
      return t('touch-must-take-with', {
        who,
        own: pieceOn(position, obligation.own),
        enemy: pieceOn(position, obligation.enemy),
      });
  }
}

/**
 * Returns the text of an announcement; empty if this visitor needs none. For spectators, who have
 * no opponent, the text names the side.
 */
export function announcementText(
  announcement: Announcement,
  game: Pick<GameState, 'you' | 'game' | 'record'>,
): string {
  const toPlayer = (by: Color): Color | 'you' => (game.you === null ? by : 'you');
  switch (announcement.type) {
    case 'turn':
      return turnText(announcement.turn, announcement.before);
    case 'joined':
      return game.you === null ? t('players-joined') : t('opponent-joined');
    case 'proposed':
      return t(`offer-received-${announcement.what}`, { who: toPlayer(announcement.by) });
    case 'declined':
      return t(`offer-declined-${announcement.what}`);
    case 'taken-back':
      return t('taken-back', { count: announcement.plies });
    case 'time-given':
      return announcement.by === game.you
        ? ''
        : t('time-given', { who: toPlayer(announcement.by), seconds: announcement.ms / 1000 });
    case 'touched':
    case 'adjusted':
      // The visitor's own touch or “J’adoube” is announced only if there is an obligation.
      if (announcement.by === game.you && game.game.touch.obligation === null) return '';
      return touchText(game.game.touch, game.record.last, announcement.by === game.you);
    case 'interrupted':
      return t('interrupted', { seconds: Math.max(1, Math.round(announcement.ms / 1000)) });
    case 'plan-dropped':
      return t('plan-dropped');
    case 'rematch':
      return t('rematch-agreed');
    case 'ended': {
      const words = resultText(game.game);
      return words ? t('announce-result', words) : '';
    }
  }
}

/** Returns the sound for an announcement; null if it has none. */
export function soundOf(announcement: Announcement): Sound | null {
  switch (announcement.type) {
    case 'turn':
      if (announcement.turn.check) return 'check';
      return announcement.turn.steps.some(({ takes }) => takes.length > 0) ? 'take' : 'move';
    case 'joined':
      return 'start';
    case 'ended':
      return 'end';
    case 'proposed':
    case 'rematch':
      return 'notice';
    default:
      return null;
  }
}
