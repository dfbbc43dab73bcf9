/**
 * The man in the user's hand, and how it changes. Pure: an action on a hand, in a situation, gives
 * another hand and perhaps a step that was played.
 */
import type { BoardPiece, BoardStep, Color, Square } from './types';

/** The moves that the owner allows at this moment. */
export interface Situation {
  readonly pieces: ReadonlyMap<Square, BoardPiece>;
  readonly steps: readonly BoardStep[];
  readonly movable: Color | 'both' | null;
  readonly mustContinue: Square | null;
  readonly disabled: boolean;
}

/** Several steps lead to one square: which is meant? */
export interface Choice {
  readonly from: Square;
  readonly to: Square;
  readonly steps: readonly BoardStep[];
}

export interface Hand {
  readonly selected: Square | null;
  /** The square where the pointer went down. */
  readonly pressed: Square | null;
  /** The press itself selected the man, so that its release must not let go of it. */
  readonly fresh: boolean;
  readonly choice: Choice | null;
}

export type HandAction =
  /** The pointer went down. */
  | { readonly type: 'press'; readonly square: Square }
  /** The pressed man began to follow the pointer. */
  | { readonly type: 'lift' }
  /** The pointer went up; off the board it is over no square. */
  | { readonly type: 'release'; readonly square: Square | null; readonly lifted: boolean }
  /** The square was pressed and released at once: keyboard, screen reader. */
  | { readonly type: 'activate'; readonly square: Square }
  | { readonly type: 'choose'; readonly step: BoardStep }
  | { readonly type: 'cancel' }
  /** The situation is another one now. */
  | { readonly type: 'reconsider' };

/** A man that cannot go where it was put, or that cannot move at all (`to` is null). */
export interface Refused {
  readonly from: Square;
  readonly to: Square | null;
}

export interface Handled {
  readonly hand: Hand;
  readonly step: BoardStep | null;
  readonly refused?: Refused;
}

export const EMPTY_HAND: Hand = { selected: null, pressed: null, fresh: false, choice: null };

export function stepsBetween(
  steps: readonly BoardStep[],
  from: Square,
  to: Square,
): readonly BoardStep[] {
  const own = steps.filter((step) => step.from === from);
  const direct = own.filter((step) => step.to === to);
  // An alias gives way to a step that really ends there.
  return direct.length > 0 ? direct : own.filter((step) => step.alsoTo?.includes(to) ?? false);
}

/** The squares where the selected man can go, each with whether it is only another name of one. */
export function targetsOf(
  steps: readonly BoardStep[],
  from: Square | null,
): ReadonlyMap<Square, 'step' | 'alias'> {
  const targets = new Map<Square, 'step' | 'alias'>();
  const own = steps.filter((step) => step.from === from);
  for (const step of own) for (const square of step.alsoTo ?? []) targets.set(square, 'alias');
  for (const step of own) targets.set(step.to, 'step');
  return targets;
}

export function takenBetween(
  steps: readonly BoardStep[],
  from: Square | null,
  to: Square | null,
): readonly Square[] {
  if (from === null || to === null) return [];
  return [...new Set(stepsBetween(steps, from, to).flatMap((step) => step.takes))];
}

export function canHold(square: Square, situation: Situation): boolean {
  const { pieces, movable, mustContinue, disabled } = situation;
  const piece = pieces.get(square);
  if (disabled || movable === null || piece === undefined) return false;
  if (mustContinue !== null) return square === mustContinue;
  return movable === 'both' || movable === piece.color;
}

export function handle(hand: Hand, action: HandAction, situation: Situation): Handled {
  switch (action.type) {
    case 'press':
      return pressOf(hand, action.square, situation);
    case 'lift':
      return only(
        hand.pressed !== null && canHold(hand.pressed, situation)
          ? { ...hand, selected: hand.pressed }
          : hand,
      );
    case 'release':
      return release(hand, action.square, action.lifted, situation);
    case 'activate': {
      const { hand: held, ...told } = pressOf(hand, action.square, situation);
      return { ...told, ...release(held, action.square, false, situation) };
    }
    case 'choose':
      return hand.choice?.steps.includes(action.step)
        ? { hand: atRest(situation), step: action.step }
        : only(hand);
    case 'cancel':
      // Closing a choice cancels only the destination: the man stays in hand.
      return only(
        hand.choice !== null
          ? { ...atRest(situation), selected: hand.choice.from }
          : atRest(situation),
      );
    case 'reconsider':
      return only(reconsider(hand, situation));
  }
}

function only(hand: Hand): Handled {
  return { hand, step: null };
}

/** The hand when nothing was begun: empty, or on the man that must go on. */
function atRest({ mustContinue, disabled }: Situation): Hand {
  return { ...EMPTY_HAND, selected: disabled ? null : mustContinue };
}

function press(hand: Hand, square: Square, situation: Situation): Hand {
  if (hand.choice !== null || situation.disabled) return hand;
  const goesThere =
    hand.selected !== null && stepsBetween(situation.steps, hand.selected, square).length > 0;
  if (square === hand.selected || goesThere || !canHold(square, situation))
    return { ...hand, pressed: square, fresh: false };
  return { ...hand, selected: square, pressed: square, fresh: true };
}

/** A press; a man that is taken in hand but cannot move is told. */
function pressOf(hand: Hand, square: Square, situation: Situation): Handled {
  const next = press(hand, square, situation);
  const isStuck = next.fresh && !situation.steps.some((step) => step.from === square);
  return isStuck ? { ...only(next), refused: { from: square, to: null } } : only(next);
}

function release(
  hand: Hand,
  square: Square | null,
  lifted: boolean,
  situation: Situation,
): Handled {
  const { selected, pressed, fresh } = hand;
  const idle: Hand = { ...hand, pressed: null, fresh: false };
  if (pressed === null) return only(idle);
  if (lifted) {
    // Put back where it came from, the man stays in hand: the user may go on by clicking.
    if (square === pressed) return only(idle);
    return square === null || selected === null
      ? only(atRest(situation))
      : drop(idle, selected, square, situation);
  }
  // A press that slid to another square without lifting anything meant nothing.
  if (square !== pressed || fresh) return only(idle);
  return selected === null ? only(idle) : drop(idle, selected, square, situation);
}

function drop(hand: Hand, from: Square, to: Square, situation: Situation): Handled {
  const steps = stepsBetween(situation.steps, from, to);
  const [first] = steps;
  if (first === undefined)
    return { ...only(atRest(situation)), ...(from === to ? {} : { refused: { from, to } }) };
  if (steps.length === 1) return { hand: atRest(situation), step: first };
  return only({ ...hand, choice: { from, to: first.to, steps } });
}

function reconsider(hand: Hand, situation: Situation): Hand {
  const { mustContinue, steps, disabled } = situation;
  const { selected, choice } = hand;
  if (choice !== null) {
    // The owner may have made its list anew with the same steps in it.
    const still = choice.steps.flatMap((old) => steps.find((step) => isSame(step, old)) ?? []);
    if (disabled || still.length < choice.steps.length) return atRest(situation);
    if (still.some((step) => !choice.steps.includes(step)))
      return { ...hand, choice: { ...choice, steps: still } };
  }
  if (mustContinue !== null && selected !== mustContinue) return atRest(situation);
  if (selected !== null && !canHold(selected, situation)) return atRest(situation);
  return hand;
}

function isSame(a: BoardStep, b: BoardStep): boolean {
  return a.from === b.from && a.to === b.to && a.promotion === b.promotion && a.text === b.text;
}
