import { describe, expect, it } from 'vitest';
import {
  EMPTY_HAND,
  handle,
  stepsBetween,
  takenBetween,
  targetsOf,
  type Hand,
  type HandAction,
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
const stays = step('b7', 'b8');
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
  steps: [castle, rook, removal, step('e4', 'd3'), toQueen, toRook, stays, single],
  movable: 'white',
  mustContinue: null,
  disabled: false,
};

/** Does all that in turn; what was played is the text of the last step. */
function after(
  actions: readonly HandAction[],
  situation: Situation = SITUATION,
  start: Hand = EMPTY_HAND,
) {
  let hand = start;
  let played: string | null = null;
  for (const action of actions) {
    const handled = handle(hand, action, situation);
    hand = handled.hand;
    played = handled.step?.text ?? played;
  }
  return { hand, selected: hand.selected, played };
}

function click(square: Square): readonly HandAction[] {
  return [
    { type: 'press', square },
    { type: 'release', square, lifted: false },
  ];
}

function drag(from: Square, to: Square | null): readonly HandAction[] {
  return [
    { type: 'press', square: from },
    { type: 'lift' },
    { type: 'release', square: to, lifted: true },
  ];
}

describe('a refusal', () => {
  /** What the actions are refused, in order. */
  function refusals(actions: readonly HandAction[], situation: Situation = SITUATION) {
    let hand = EMPTY_HAND;
    return actions.flatMap((action) => {
      const handled = handle(hand, action, situation);
      hand = handled.hand;
      return handled.refused ?? [];
    });
  }
  const stuck: Situation = { ...SITUATION, steps: SITUATION.steps.filter((s) => s.from !== 'a2') };

  it('names a man that cannot move when it is taken in hand', () => {
    expect(refusals(click('a2'), stuck)).toEqual([{ from: 'a2', to: null }]);
    expect(refusals([{ type: 'activate', square: 'a2' }], stuck)).toEqual([
      { from: 'a2', to: null },
    ]);
    expect(refusals(click('a2'))).toEqual([]);
  });

  it('names the square where the man in hand cannot go, however it was put there', () => {
    const wrong = [{ from: 'a2', to: 'c6' }];
    expect(refusals([...click('a2'), ...click('c6')])).toEqual(wrong);
    expect(refusals(drag('a2', 'c6'))).toEqual(wrong);
    expect(refusals([...click('a2'), { type: 'activate', square: 'c6' }])).toEqual(wrong);
  });

  it('is not told of a step, of a man let go, or of one put beside the board', () => {
    expect(refusals([...click('a2'), ...click('a4')])).toEqual([]);
    expect(refusals([...click('a2'), ...click('a2')])).toEqual([]);
    expect(refusals(drag('a2', null))).toEqual([]);
    expect(refusals([...click('a2'), ...click('e4')])).toEqual([]);
  });
});

describe('clicking', () => {
  it('takes a man in hand, and drops it', () => {
    expect(after(click('a2'))).toMatchObject({ selected: 'a2', played: null });
    expect(after([...click('a2'), ...click('a4')])).toMatchObject({
      selected: null,
      played: 'a2a4',
    });
  });

  it('lets go on a second click, and on a square that is no target', () => {
    expect(after([...click('a2'), ...click('a2')]).selected).toBeNull();
    expect(after([...click('a2'), ...click('c6')])).toMatchObject({ selected: null, played: null });
  });

  it('changes from one own man to another', () => {
    expect(after([...click('a2'), ...click('e4')]).selected).toBe('e4');
  });

  it('means nothing when the pointer slid to another square', () => {
    const slid: HandAction[] = [
      ...click('a2'),
      { type: 'press', square: 'a4' },
      { type: 'release', square: 'a5', lifted: false },
    ];
    expect(after(slid)).toMatchObject({ selected: 'a2', played: null });
  });

  it('plays in place only from the second click on', () => {
    expect(after(click('e4'))).toMatchObject({ selected: 'e4', played: null });
    expect(after([...click('e4'), ...click('e4')])).toMatchObject({
      selected: null,
      played: 'e4e4',
    });
  });

  it('does not hold the men of the other side, nor any when disabled', () => {
    expect(after(click('e5')).selected).toBeNull();
    expect(after(click('e5'), { ...SITUATION, movable: 'both' }).selected).toBe('e5');
    expect(after(click('a2'), { ...SITUATION, movable: null }).selected).toBeNull();
    expect(after(click('a2'), { ...SITUATION, disabled: true }).selected).toBeNull();
  });
});

describe('dragging', () => {
  it('drops on a target', () => {
    expect(after(drag('a2', 'a4'))).toMatchObject({ selected: null, played: 'a2a4' });
  });

  it('lets go off the board and on other squares', () => {
    expect(after(drag('a2', null))).toMatchObject({ selected: null, played: null });
    expect(after(drag('a2', 'h8'))).toMatchObject({ selected: null, played: null });
  });

  it('keeps a man put back in hand, and never takes in place by that', () => {
    expect(after(drag('e4', 'e4'))).toMatchObject({ selected: 'e4', played: null });
    expect(after([...click('e4'), ...drag('e4', 'e4')])).toMatchObject({
      selected: 'e4',
      played: null,
    });
  });
});

describe('another name of a target', () => {
  it('is clicked for the step, but dragged as the man that stands there', () => {
    expect(after([...click('e1'), ...click('h1')]).played).toBe('e1g1');
    expect(after([...click('e1'), ...drag('h1', 'f1')]).played).toBe('h1f1');
  });

  it('gives way to a step that ends there', () => {
    const aside = step('e1', 'h1');
    expect(stepsBetween([castle, aside], 'e1', 'h1')).toEqual([aside]);
    expect(targetsOf([castle, aside], 'e1').get('h1')).toBe('step');
    expect(targetsOf([castle], 'e1').get('h1')).toBe('alias');
  });
});

describe('a choice of promotions', () => {
  const open = after(drag('b7', 'b8'));

  it('waits for the user, the possibility to stay included', () => {
    expect(open.played).toBeNull();
    expect(open.hand.choice?.steps).toEqual([toQueen, toRook, stays]);
    expect(after([{ type: 'choose', step: stays }], SITUATION, open.hand).played).toBe('b7b8');
  });

  it('keeps the man in hand when called off', () => {
    const { hand, played } = after([{ type: 'cancel' }], SITUATION, open.hand);
    expect(hand).toMatchObject({ selected: 'b7', choice: null });
    expect(played).toBeNull();
  });

  it('is deaf to the board', () => {
    expect(
      after([...click('a2'), ...click('a4')], SITUATION, open.hand).hand.choice,
    ).not.toBeNull();
  });

  it('outlives a list made anew, not one without its steps', () => {
    const anew = { ...SITUATION, steps: SITUATION.steps.map((old) => ({ ...old })) };
    const { hand } = after([{ type: 'reconsider' }], anew, open.hand);
    const [first] = hand.choice?.steps ?? [];
    expect(first).toBe(anew.steps.find((other) => other.promotion === 'queen'));
    const gone = { ...SITUATION, steps: [toQueen] };
    expect(after([{ type: 'reconsider' }], gone, open.hand).hand.choice).toBeNull();
  });

  it('is not asked for when there is only one', () => {
    const forced = { ...SITUATION, steps: [toRook] };
    expect(after(drag('b7', 'b8'), forced).played).toBe('b7b8r');
  });
});

describe('a man that must go on', () => {
  const going: Situation = { ...SITUATION, mustContinue: 'e4' };

  it('is in hand by itself and stays there', () => {
    const { hand } = after([{ type: 'reconsider' }], going);
    expect(hand.selected).toBe('e4');
    expect(after([...click('a2'), ...click('h8'), { type: 'cancel' }], going, hand).selected).toBe(
      'e4',
    );
    expect(after(drag('a2', 'a4'), going, hand)).toMatchObject({ selected: 'e4', played: null });
  });

  it('takes in place at the first click', () => {
    const { hand } = after([{ type: 'reconsider' }], going);
    expect(after(click('e4'), going, hand).played).toBe('e4e4');
  });
});

describe('another situation', () => {
  it('takes the man out of hand that is gone or not to be moved', () => {
    const { hand } = after(click('a2'));
    const empty = { ...SITUATION, pieces: new Map<Square, BoardPiece>() };
    expect(after([{ type: 'reconsider' }], empty, hand).selected).toBeNull();
    expect(
      after([{ type: 'reconsider' }], { ...SITUATION, movable: 'black' }, hand).selected,
    ).toBeNull();
    expect(after([{ type: 'reconsider' }], SITUATION, hand).selected).toBe('a2');
  });

  it('forgets a press, so that its release plays nothing', () => {
    const { hand } = after([{ type: 'press', square: 'a2' }, { type: 'lift' }]);
    const theirs: Situation = { ...SITUATION, movable: 'black' };
    const { hand: forgotten } = after([{ type: 'reconsider' }], theirs, hand);
    expect(
      after([{ type: 'release', square: 'a4', lifted: true }], theirs, forgotten).played,
    ).toBeNull();
  });
});

it('names each man that would be taken once', () => {
  const takes: readonly Square[] = ['c5', 'd4'];
  const two = [step('c2', 'c4', { takes }), step('c2', 'c4', { takes, promotion: 'rook' })];
  expect(takenBetween(two, 'c2', 'c4')).toEqual(takes);
  expect(takenBetween(two, 'c2', 'c3')).toEqual([]);
  expect(takenBetween(two, null, 'c4')).toEqual([]);
});
