/**
 * The selected piece and how the selection changes. Pure: an action applied to a selection, in a
 * given situation, yields a new selection and possibly a played step.
 */
import type { BoardPiece, BoardStep, Color, Square } from './types';

/** The pieces, and what the owner of the board lets the user do with them. */
export interface Situation {
  readonly pieces: ReadonlyMap<Square, BoardPiece>;
  readonly steps: readonly BoardStep[];
  readonly movable: Color | 'both' | null;
  readonly mustContinue: Square | null;
  readonly disabled: boolean;
}

/** Several steps to the same square; the user must choose one. */
export interface Choice {
  readonly from: Square;
  readonly to: Square;
  readonly steps: readonly BoardStep[];
}

export interface Selection {
  readonly selected: Square | null;
  /** The square where the pointer was pressed. */
  readonly pressed: Square | null;
  /** Whether this press selected the piece, in which case its release must not deselect it. */
  readonly fresh: boolean;
  readonly choice: Choice | null;
}

export type SelectionAction =
  /** The pointer was pressed. */
  | { readonly type: 'press'; readonly square: Square }
  /** The pressed piece began to follow the pointer. */
  | { readonly type: 'lift' }
  /** The pointer was released; `square` is null if it was off the board. */
  | { readonly type: 'release'; readonly square: Square | null; readonly lifted: boolean }
  /** The square was activated by keyboard or screen reader. */
  | { readonly type: 'activate'; readonly square: Square }
  | { readonly type: 'choose'; readonly step: BoardStep }
  | { readonly type: 'cancel' }
  /** The pieces or the allowed steps have changed. */
  | { readonly type: 'reconsider' };

/** A step that is not allowed; `to` is null if the piece cannot move at all. */
export interface RefusedStep {
  readonly from: Square;
  readonly to: Square | null;
}

export interface ActionResult {
  readonly selection: Selection;
  readonly step: BoardStep | null;
  readonly refused?: RefusedStep;
}

export const EMPTY_SELECTION: Selection = {
  selected: null,
  pressed: null,
  fresh: false,
  choice: null,
};

export function stepsBetween(
  steps: readonly BoardStep[],
  from: Square,
  to: Square,
): readonly BoardStep[] {
  const own = steps.filter((step) => step.from === from);
  const direct = own.filter((step) => step.to === to);
  // An alias yields to a step that actually ends there.
  return direct.length > 0 ? direct : own.filter((step) => step.alsoTo?.includes(to) ?? false);
}

/** Returns the squares where the selected piece can go, and marks those that are only aliases. */
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

export function canSelect(square: Square, situation: Situation): boolean {
  const { pieces, movable, mustContinue, disabled } = situation;
  const piece = pieces.get(square);
  if (disabled || movable === null || piece === undefined) return false;
  if (mustContinue !== null) return square === mustContinue;
  return movable === 'both' || movable === piece.color;
}

export function handle(
  selection: Selection,
  action: SelectionAction,
  situation: Situation,
): ActionResult {
  switch (action.type) {
    case 'press':
      return handlePress(selection, action.square, situation);
    case 'lift':
      return withoutStep(
        selection.pressed !== null && canSelect(selection.pressed, situation)
          ? { ...selection, selected: selection.pressed }
          : selection,
      );
    case 'release':
      return release(selection, action.square, action.lifted, situation);
    case 'activate': {
      const { selection: pressed, ...rest } = handlePress(selection, action.square, situation);
      return { ...rest, ...release(pressed, action.square, false, situation) };
    }
    case 'choose':
      return selection.choice?.steps.includes(action.step)
        ? { selection: idleSelection(situation), step: action.step }
        : withoutStep(selection);
    case 'cancel':
      // Closing the choice cancels only the destination; the piece stays selected.
      return withoutStep(
        selection.choice !== null
          ? { ...idleSelection(situation), selected: selection.choice.from }
          : idleSelection(situation),
      );
    case 'reconsider':
      return withoutStep(reconsider(selection, situation));
  }
}

function withoutStep(selection: Selection): ActionResult {
  return { selection, step: null };
}

/** Returns the initial selection: empty, or the piece that must continue. */
function idleSelection({ mustContinue, disabled }: Situation): Selection {
  return { ...EMPTY_SELECTION, selected: disabled ? null : mustContinue };
}

function press(selection: Selection, square: Square, situation: Situation): Selection {
  if (selection.choice !== null || situation.disabled) return selection;
  const goesThere =
    selection.selected !== null &&
    stepsBetween(situation.steps, selection.selected, square).length > 0;
  if (square === selection.selected || goesThere || !canSelect(square, situation))
    return { ...selection, pressed: square, fresh: false };
  return { ...selection, selected: square, pressed: square, fresh: true };
}

/** Handles a press; reports a piece that is selected but cannot move. */
function handlePress(selection: Selection, square: Square, situation: Situation): ActionResult {
  const next = press(selection, square, situation);
  const isStuck = next.fresh && !situation.steps.some((step) => step.from === square);
  return isStuck
    ? { ...withoutStep(next), refused: { from: square, to: null } }
    : withoutStep(next);
}

function release(
  selection: Selection,
  square: Square | null,
  lifted: boolean,
  situation: Situation,
): ActionResult {
  const { selected, pressed, fresh } = selection;
  const idle: Selection = { ...selection, pressed: null, fresh: false };
  if (pressed === null) return withoutStep(idle);
  if (lifted) {
    // A piece put back where it came from stays selected, so that the user may continue by
    // clicking.
    if (square === pressed) return withoutStep(idle);
    return square === null || selected === null
      ? withoutStep(idleSelection(situation))
      : drop(idle, selected, square, situation);
  }
  // A press that slid to another square without lifting a piece has no effect.
  if (square !== pressed || fresh) return withoutStep(idle);
  return selected === null ? withoutStep(idle) : drop(idle, selected, square, situation);
}

function drop(selection: Selection, from: Square, to: Square, situation: Situation): ActionResult {
  const steps = stepsBetween(situation.steps, from, to);
  const [first] = steps;
  if (first === undefined)
    return {
      ...withoutStep(idleSelection(situation)),
      ...(from === to ? {} : { refused: { from, to } }),
    };
  if (steps.length === 1) return { selection: idleSelection(situation), step: first };
  return withoutStep({ ...selection, choice: { from, to: first.to, steps } });
}

function reconsider(selection: Selection, situation: Situation): Selection {
  const { mustContinue, steps, disabled } = situation;
  const { selected, choice } = selection;
  if (choice !== null) {
    // The owner may have passed a new list with the same steps.
    const current = choice.steps.flatMap((old) => steps.find((step) => isSame(step, old)) ?? []);
    if (disabled || current.length < choice.steps.length) return idleSelection(situation);
    if (current.some((step) => !choice.steps.includes(step)))
      return { ...selection, choice: { ...choice, steps: current } };
  }
  if (mustContinue !== null && selected !== mustContinue) return idleSelection(situation);
  if (selected !== null && !canSelect(selected, situation)) return idleSelection(situation);
  return selection;
}

function isSame(a: BoardStep, b: BoardStep): boolean {
  return a.from === b.from && a.to === b.to && a.promotion === b.promotion && a.text === b.text;
}
