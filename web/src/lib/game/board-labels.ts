import type { BoardLabels } from '../board';
import { t } from '../i18n/i18n.svelte';
import { pieceName } from '../i18n/names';
import type { Color } from '../api';
import type { Role } from '../variants';

/** A piece as passed back by the board, with the role that the page gave it. */
interface LabelledPiece {
  readonly color: Color;
  readonly role: Role;
}

/**
 * Returns all labels of the board in the current language. If `planning` is true, the steps are
 * only planned, so it is not known what they will capture.
 */
export function boardLabels(planning = false): BoardLabels {
  return {
    board: () => t('board-label'),
    square(square, piece: LabelledPiece | null, marks) {
      const words = [
        piece
          ? t('square-piece', { square, piece: pieceName(piece.color, piece.role) })
          : t('square-empty', { square }),
      ];
      if (marks.selected) words.push(t('mark-selected'));
      if (marks.mustContinue) words.push(t('mark-must-continue'));
      if (marks.inPlace)
        words.push(t(planning || marks.takes.length > 0 ? 'mark-in-place' : 'mark-give-up'));
      else if (marks.target) words.push(t('mark-target'));
      if (marks.takes.length > 0) words.push(t('mark-takes', { squares: marks.takes.join(', ') }));
      if (marks.taken) words.push(t('mark-taken'));
      else if (marks.endangered) words.push(t('mark-endangered'));
      if (marks.check) words.push(t('mark-check'));
      if (marks.lastMove) words.push(t('mark-last-move'));
      if (marks.lastTaken) words.push(t('mark-last-taken'));
      if (marks.pending) words.push(t('mark-pending'));
      if (marks.planned) words.push(t('mark-planned'));
      if (marks.touched) words.push(t(marks.binding ? 'mark-binding' : 'mark-touched'));
      return words.join(', ');
    },
    selected: (square, piece: LabelledPiece, targets) =>
      t('hand-taken', {
        piece: pieceName(piece.color, piece.role),
        square,
        count: targets.length,
        squares: targets.join(', '),
      }),
    deselected: t('hand-empty'),
    promotionTitle: t('promotion-title'),
    promotion: (role: Role | null, color) =>
      role === null ? t('promotion-none') : pieceName(color, role),
    cancel: t('cancel'),
  };
}
