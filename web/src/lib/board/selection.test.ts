import { describe, expect, it } from 'vitest';
import {
  EMPTY_SELECTION,
  handle,
  stepsBetween,
  takenBetween,
  targetsOf,
  type Selection,
  type SelectionAction,
  type Situation,
} from './selection';
import type { BoardPiece, BoardStep, Square } from './types';

const WHITE: BoardPiece = { color: 'white', role: 'pawn' };
const BLACK: BoardPiece = { color: 'black', role: 'pawn' };

function step(from: Square, to: Square, more: Partial<BoardStep> = {}): BoardStep {
  return { from, to, promotion: null, takes: [], text: `${from}${to}`, ...more };
}

const castle = step('e1', 'g1', { alsoTo: ['h1'] });
const rook = step('h1', 'f1');
const removal = step('e4', 'e4', { takes: ['e5', 'f4'] });
const toQueen = step('b7', 'b8', { promotion: 'queen', text: 'b7b8q' });
const toRook = step('b7', 'b8', { promotion: 'rook', text: 'b7b8r' });
const asPawn = step('b7', 'b8');
const single = step('a2', 'a4');

const SITUATION: Situation = {
  pieces: new Map<Square, BoardPiece>([
    ['e1', WHITE],
    ['h1', WHITE],
    ['e4', WHITE],
    ['b7', WHITE],
    ['a2', WHITE],
    ['e5', BLACK],
    ['f4', BLACK],
  ]),
  steps: [castle, rook, removal, step('e4', 'd3'), toQueen, toRook, asPawn, single],
  movable: 'white',
  mustContinue: null,
  disabled: false,
};

/** Applies all actions; returns the final state and the text of the last step played. */
function stateAfter(
  actions: readonly SelectionAction[],
  situation: Situation = SITUATION,
  start: Selection = EMPTY_SELECTION,
) {
  let selection = start;
  let played: string | null = null;
  for (const action of actions) {
    const handled = handle(selection, action, situation);
    selection = handled.selection;
    played = handled.step?.text ?? played;
  }
  return { selection, selected: selection.selected, played };
}

function click(square: Square): readonly SelectionAction[] {
  return [
    { type: 'press', square },
    { type: 'release', square, lifted: false },
  ];
}

function drag(from: Square, to: Square | null): readonly SelectionAction[] {
  return [
    { type: 'press', square: from },
    { type: 'lift' },
    { type: 'release', square: to, lifted: true },
  ];
}

describe('a refusal', () => {
  /** Returns the refusals that the actions cause, in order. */
  function refusals(actions: readonly SelectionAction[], situation: Situation = SITUATION) {
    let selection = EMPTY_SELECTION;
    return actions.flatMap((action) => {
      const handled = handle(selection, action, situation);
      selection = handled.selection;
      return handled.refused ?? [];
    });
  }
  const stuck: Situation = { ...SITUATION, steps: SITUATION.steps.filter((s) => s.from !== 'a2') };

  it('names a selected piece that cannot move', () => {
    expect(refusals(click('a2'), stuck)).toEqual([{ from: 'a2', to: null }]);
    expect(refusals([{ type: 'activate', square: 'a2' }], stuck)).toEqual([
      { from: 'a2', to: null },
    ]);
    expect(refusals(click('a2'))).toEqual([]);
  });

  it('names the square that the selected piece cannot reach, by click, drag or keyboard', () => {
    const wrong = [{ from: 'a2', to: 'c6' }];
    expect(refusals([...click('a2'), ...click('c6')])).toEqual(wrong);
    expect(refusals(drag('a2', 'c6'))).toEqual(wrong);
    expect(refusals([...click('a2'), { type: 'activate', square: 'c6' }])).toEqual(wrong);
  });

  it('is not reported for a step, a deselection, or a drop outside the board', () => {
    expect(refusals([...click('a2'), ...click('a4')])).toEqual([]);
    expect(refusals([...click('a2'), ...click('a2')])).toEqual([]);
    expect(refusals(drag('a2', null))).toEqual([]);
    expect(refusals([...click('a2'), ...click('e4')])).toEqual([]);
  });
});

describe('clicking', () => {
  it('selects a piece and plays it', () => {
    expect(stateAfter(click('a2'))).toMatchObject({ selected: 'a2', played: null });
    expect(stateAfter([...click('a2'), ...click('a4')])).toMatchObject({
      selected: null,
      played: 'a2a4',
    });
  });

  it('deselects on a second click and on a square that is not a target', () => {
    expect(stateAfter([...click('a2'), ...click('a2')]).selected).toBeNull();
    expect(stateAfter([...click('a2'), ...click('c6')])).toMatchObject({
      selected: null,
      played: null,
    });
  });

  it("switches from one of the player's pieces to another", () => {
    expect(stateAfter([...click('a2'), ...click('e4')]).selected).toBe('e4');
  });

  it('has no effect when the pointer has slid to another square', () => {
    const slid: SelectionAction[] = [
      ...click('a2'),
      { type: 'press', square: 'a4' },
      { type: 'release', square: 'a5', lifted: false },
    ];
    expect(stateAfter(slid)).toMatchObject({ selected: 'a2', played: null });
  });

  it('captures in place only on the second click', () => {
    expect(stateAfter(click('e4'))).toMatchObject({ selected: 'e4', played: null });
    expect(stateAfter([...click('e4'), ...click('e4')])).toMatchObject({
      selected: null,
      played: 'e4e4',
    });
  });

  it("does not select the opponent's pieces, or any piece when disabled", () => {
    expect(stateAfter(click('e5')).selected).toBeNull();
    expect(stateAfter(click('e5'), { ...SITUATION, movable: 'both' }).selected).toBe('e5');
    expect(stateAfter(click('a2'), { ...SITUATION, movable: null }).selected).toBeNull();
    expect(stateAfter(click('a2'), { ...SITUATION, disabled: true }).selected).toBeNull();
  });
});

describe('dragging', () => {
  it('plays when dropped on a target', () => {
    expect(stateAfter(drag('a2', 'a4'))).toMatchObject({ selected: null, played: 'a2a4' });
  });

  it('deselects when dropped off the board or on a square that is not a target', () => {
    expect(stateAfter(drag('a2', null))).toMatchObject({ selected: null, played: null });
    expect(stateAfter(drag('a2', 'h8'))).toMatchObject({ selected: null, played: null });
  });

  it('keeps a piece selected when it is put back, and never captures in place that way', () => {
    expect(stateAfter(drag('e4', 'e4'))).toMatchObject({ selected: 'e4', played: null });
    expect(stateAfter([...click('e4'), ...drag('e4', 'e4')])).toMatchObject({
      selected: 'e4',
      played: null,
    });
  });
});

describe('an alias of a target', () => {
  it('plays the step when clicked, but a drag moves the piece that stands there', () => {
    expect(stateAfter([...click('e1'), ...click('h1')]).played).toBe('e1g1');
    expect(stateAfter([...click('e1'), ...drag('h1', 'f1')]).played).toBe('h1f1');
  });

  it('yields to a step that ends there', () => {
    const direct = step('e1', 'h1');
    expect(stepsBetween([castle, direct], 'e1', 'h1')).toEqual([direct]);
    expect(targetsOf([castle, direct], 'e1').get('h1')).toBe('step');
    expect(targetsOf([castle], 'e1').get('h1')).toBe('alias');
  });
});

describe('a choice of promotions', () => {
  const open = stateAfter(drag('b7', 'b8'));

  it('waits for the user, who may also decline to promote', () => {
    expect(open.played).toBeNull();
    expect(open.selection.choice?.steps).toEqual([toQueen, toRook, asPawn]);
    expect(stateAfter([{ type: 'choose', step: asPawn }], SITUATION, open.selection).played).toBe(
      'b7b8',
    );
  });

  it('keeps the piece selected when cancelled', () => {
    const { selection, played } = stateAfter([{ type: 'cancel' }], SITUATION, open.selection);
    expect(selection).toMatchObject({ selected: 'b7', choice: null });
    expect(played).toBeNull();
  });

  it('ignores clicks on the board', () => {
    expect(
      stateAfter([...click('a2'), ...click('a4')], SITUATION, open.selection).selection.choice,
    ).not.toBeNull();
  });

  it('survives a new list that has all its steps, but not one that lacks some', () => {
    const copied = { ...SITUATION, steps: SITUATION.steps.map((old) => ({ ...old })) };
    const { selection } = stateAfter([{ type: 'reconsider' }], copied, open.selection);
    const [first] = selection.choice?.steps ?? [];
    expect(first).toBe(copied.steps.find((other) => other.promotion === 'queen'));
    const incomplete = { ...SITUATION, steps: [toQueen] };
    expect(
      stateAfter([{ type: 'reconsider' }], incomplete, open.selection).selection.choice,
    ).toBeNull();
  });

  it('is skipped if there is only one', () => {
    const forced = { ...SITUATION, steps: [toRook] };
    expect(stateAfter(drag('b7', 'b8'), forced).played).toBe('b7b8r');
  });
});

describe('a piece that must continue', () => {
  const midTurn: Situation = { ...SITUATION, mustContinue: 'e4' };

  it('is selected automatically and stays selected', () => {
    const { selection } = stateAfter([{ type: 'reconsider' }], midTurn);
    expect(selection.selected).toBe('e4');
    expect(
      stateAfter([...click('a2'), ...click('h8'), { type: 'cancel' }], midTurn, selection).selected,
    ).toBe('e4');
    expect(stateAfter(drag('a2', 'a4'), midTurn, selection)).toMatchObject({
      selected: 'e4',
      played: null,
    });
  });

  it('captures in place on the first click', () => {
    const { selection } = stateAfter([{ type: 'reconsider' }], midTurn);
    expect(stateAfter(click('e4'), midTurn, selection).played).toBe('e4e4');
  });
});

describe('a changed situation', () => {
  it('deselects a piece that is gone or may no longer be selected', () => {
    const { selection } = stateAfter(click('a2'));
    const empty = { ...SITUATION, pieces: new Map<Square, BoardPiece>() };
    expect(stateAfter([{ type: 'reconsider' }], empty, selection).selected).toBeNull();
    expect(
      stateAfter([{ type: 'reconsider' }], { ...SITUATION, movable: 'black' }, selection).selected,
    ).toBeNull();
    expect(stateAfter([{ type: 'reconsider' }], SITUATION, selection).selected).toBe('a2');
  });

  it('discards a press, so that its release plays nothing', () => {
    const { selection } = stateAfter([{ type: 'press', square: 'a2' }, { type: 'lift' }]);
    const theirs: Situation = { ...SITUATION, movable: 'black' };
    const { selection: forgotten } = stateAfter([{ type: 'reconsider' }], theirs, selection);
    expect(
      stateAfter([{ type: 'release', square: 'a4', lifted: true }], theirs, forgotten).played,
    ).toBeNull();
  });
});

it('lists each captured piece once', () => {
  const takes: readonly Square[] = ['c5', 'd4'];
  const two = [step('c2', 'c4', { takes }), step('c2', 'c4', { takes, promotion: 'rook' })];
  expect(takenBetween(two, 'c2', 'c4')).toEqual(takes);
  expect(takenBetween(two, 'c2', 'c3')).toEqual([]);
  expect(takenBetween(two, null, 'c4')).toEqual([]);
});
