/**
 * Drawings that illustrate an answer: plain marks for steps, other marks for captures and for the
 * reasons against a step.
 */
import type { BoardDrawing, Brush, Square } from '../board';
import type { Obligation } from '../api';
import type { ManExplanationView, LegalView, ReasonView, StepAnswer, TakingView } from '../rules';

const circle = (square: Square, brush: Brush): BoardDrawing => ({
  from: square,
  to: square,
  brush,
});

/** Returns an arrow, or nothing for a piece that captures without moving. */
const arrow = (from: Square, to: Square, brush: Brush): BoardDrawing[] =>
  from === to ? [] : [{ from, to, brush }];

const linesOf = (lines: readonly [Square, Square][], brush: Brush): BoardDrawing[] =>
  lines.map(([from, to]) => ({ from, to, brush, shape: 'line' }));

function takingFigure({ by, to, victim, lines }: TakingView, brush: Brush): BoardDrawing[] {
  return [...linesOf(lines, brush), ...arrow(by.square, to, brush), circle(victim.square, 'shift')];
}

function reasonFigure({ other, second, lines, taking }: ReasonView): BoardDrawing[] {
  return [
    ...linesOf(lines, 'shift'),
    ...(taking ? takingFigure(taking, 'shift') : []),
    ...[other, second].flatMap((man) => (man ? [circle(man.square, 'shift')] : [])),
  ];
}

function legalFigure({ man, to, takings, castling, givingUp }: LegalView): BoardDrawing[] {
  return [
    ...takings.flatMap(({ lines }) => linesOf(lines, 'alt')),
    ...arrow(man.square, to, 'plain'),
    ...(castling ? arrow(...castling, 'plain') : []),
    ...takings.map(({ victim }) => circle(victim.square, 'shift')),
    // A piece that is given up leaves the board like a captured one.
    ...(givingUp ? [circle(man.square, 'shift')] : []),
  ];
}

export function manFigure({ man, steps, holding, exclusions }: ManExplanationView): BoardDrawing[] {
  const victims = steps.flatMap(({ takings }) => takings.map(({ victim }) => victim.square));
  const moves = steps.filter(({ givingUp }) => givingUp === null);
  const mayLeave = moves.length < steps.length;
  return withoutDuplicates([
    ...[...holding, ...exclusions].flatMap(reasonFigure),
    ...moves.map(({ to }): BoardDrawing => ({ from: to, to, brush: 'plain', shape: 'dot' })),
    ...victims.map((square) => circle(square, 'shift')),
    // A piece that is given up leaves the board like a captured one.
    circle(man.square, mayLeave ? 'shift' : 'plain'),
  ]);
}

export function stepFigure(from: Square, to: Square, answer: StepAnswer): BoardDrawing[] {
  if (answer.legal) return withoutDuplicates(legalFigure(answer.legal));
  // The attempted step comes first, so that the reasons against it are drawn on top.
  const attempt = arrow(from, to, 'shift-alt');
  return withoutDuplicates([...attempt, ...answer.reasons.flatMap(reasonFigure)]);
}

/** Draws the attempted step, and the enemy that must be captured instead. */
export function obligationFigure(
  from: Square,
  to: Square | null,
  obligation: Obligation,
): BoardDrawing[] {
  const attempt = to === null ? [] : arrow(from, to, 'shift-alt');
  return 'enemy' in obligation
    ? [...attempt, circle(obligation.enemy as Square, 'shift')]
    : attempt;
}

/** Removes duplicates, because semi-transparent marks would look different if drawn twice. */
function withoutDuplicates(drawings: readonly BoardDrawing[]): BoardDrawing[] {
  const name = ({ from, to, brush, shape }: BoardDrawing): string =>
    [...(shape === 'line' ? [from, to].sort() : [from, to]), brush, shape ?? ''].join(' ');
  return [...new Map(drawings.map((drawing) => [name(drawing), drawing])).values()];
}
