/** Describes what a wrong turn in a drill does, and why that misses the goal. */
import type { Drill } from '../api';
import { turnText, turnWords } from '../game/announce';
import { i18n, t } from '../i18n/i18n.svelte';
import { outcomeText, pieceName } from '../i18n/names';
import { capitalize, reasonLine, thePiece, type Sentence } from '../question/answer-text';
import type { MissView, Position } from '../rules';

/** A wrong turn, with the question that it answers. */
export interface WrongTurn {
  readonly drill: Drill;
  /** Index of the question. */
  readonly stage: number;
  readonly before: Position;
  /** The turn, in coordinate notation. */
  readonly turn: string;
  readonly after: Position;
  /** The right answers to this question, in coordinate notation. */
  readonly solutions: readonly string[];
  /** FENs of all positions of the drill up to `before`. */
  readonly past: readonly string[];
}

function missLine(miss: MissView, after: Position): Sentence {
  const { man, men, to, at, king, squares, count, most, color, role, outcome, reason } = miss;
  const why = reason ? reasonLine(reason) : null;
  const reply = miss.turn === null ? null : after.describe(miss.turn);
  // In the sentence about the number of replies, the reply is not a sentence of its own.
  const replyText = miss.code === 'replies' ? turnWords : turnText;
  const text = t(`drill-why-${miss.code}`, {
    man: man ? thePiece(man) : '',
    from: man?.square ?? '',
    men: men.map((each) => t('drill-why-man', { man: thePiece(each), at: each.square })).join(', '),
    to: to ?? '',
    at: at ?? '',
    king: king ?? '',
    behind: squares[0] ?? '',
    one: squares[0] ?? '',
    other: squares[1] ?? '',
    count,
    most,
    piece: color && role ? pieceName(color, role) : '',
    outcome: outcome === null ? '' : outcomeText(outcome),
    why: why?.text ?? '',
    turn: reply ? replyText(reply, after) : '',
  });
  return { text: capitalize(text), clauses: why?.clauses ?? [] };
}

/** Returns the sentence that says which goal was missed. */
function missedGoal({ drill, stage }: WrongTurn, misses: readonly MissView[]): string {
  if (stage < drill.then.length) return t('drill-not-forced');
  const isOver = misses.some(({ code }) => code === 'over');
  if (drill.goal === 'ends' && isOver) return t('drill-not-ended-so');
  return i18n.lookup(`drill-not-${drill.goal}`) ?? t('drill-not-forced');
}

/** Returns the sentence that says which goal was missed, and those about the turn itself. */
export function wrongTurnText(wrong: WrongTurn): { goal: string; lines: Sentence[] } {
  const { drill, stage, before, turn, after, solutions, past } = wrong;
  const misses = before.wrongTurn(turn, {
    goal: drill.goal,
    man: drill.man,
    line: [
      solutions[0] ?? '',
      ...drill.then.slice(stage).flatMap(({ reply, solutions: [next = ''] }) => [reply, next]),
    ],
    past,
  });
  return {
    goal: missedGoal(wrong, misses),
    lines: misses.map((miss) => missLine(miss, after)),
  };
}
