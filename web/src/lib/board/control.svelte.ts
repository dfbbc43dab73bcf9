import { tick, untrack } from 'svelte';
import { prefersReducedMotion } from 'svelte/motion';
import { chainOf, toggled } from './drawings';
import { rowsOf, squareUnder, walk, type Point } from './geometry';
import { atRest, freed, reconcile, type Man } from './men';
import type { Gestures } from './pointer';
import {
  canHold,
  EMPTY_HAND,
  handle,
  takenBetween,
  targetsOf,
  type Hand,
  type HandAction,
  type Situation,
} from './selection';
import type { BoardDrawing, BoardProps, BoardStep, Brush, Square, SquareMarks } from './types';

/** A man that follows the pointer. */
export interface Carried extends Point {
  readonly from: Square;
  readonly byTouch: boolean;
}

const DEFAULT_ANIMATION_MS = 200;

/** The state of one board, its changes, and all that its parts draw. Made while a component is. */
export class BoardControl implements Gestures {
  readonly #read: () => BoardProps;
  #hand: Hand = $state.raw(EMPTY_HAND);
  /** The square under the pointer or the keyboard focus, whichever came last. */
  #aim: Square | null = $state.raw(null);
  #drawn: readonly BoardDrawing[] = $state.raw([]);
  #sketch: BoardDrawing | null = $state.raw(null);
  #walked: Square | null = $state.raw(null);
  #spokenHand = $state.raw('');
  #grid: HTMLElement | null = null;
  /** The step just handed to the owner, until the men stand accordingly. */
  #played: { readonly step: BoardStep; readonly byHand: boolean } | null = null;
  #about: readonly Square[] = [];
  /** Where the man came from that has just been put down. */
  #carriedHome: Square | null = null;

  /** The board itself moves the focus. */
  #isFocusing = false;

  /** The pointer was used last: the focus need not be shown, and the arrow keys are not the board's. */
  isByPointer = $state.raw(false);
  men: readonly Man[] = $state.raw([]);
  carried: Carried | null = $state.raw(null);

  readonly #situation = $derived.by<Situation>(() => ({
    pieces: this.#props.pieces,
    steps: this.#props.steps,
    movable: this.#props.movable,
    mustContinue: this.#props.mustContinue,
    disabled: this.#props.disabled ?? false,
  }));
  readonly #lastMove = $derived.by(() => new Set(this.#props.lastMove));
  readonly #lastTaken = $derived.by(() => new Set(this.#props.lastTaken));
  readonly #check = $derived.by(() => new Set(this.#props.check));
  readonly #pending = $derived.by(() => new Set(this.#props.pending));
  readonly #touched = $derived.by(() => new Set(this.#props.touched));
  readonly #planned = $derived.by(() => new Set(this.#props.planned));
  readonly #fallen = $derived.by(() => new Set(this.#props.fallen));
  /** The steps of the man in hand. */
  readonly #steps = $derived.by(() => {
    const { steps, disabled } = this.#situation;
    return disabled ? [] : steps.filter((step) => step.from === this.#hand.selected);
  });
  readonly #targets = $derived.by(() => targetsOf(this.#steps, this.#hand.selected));
  /** The men that the man in hand can take. */
  readonly #endangered = $derived.by(() => new Set(this.#steps.flatMap(({ takes }) => takes)));
  readonly #victims = $derived.by(() => {
    const aim = this.choice?.to ?? this.#aim;
    // Carried back to where it stood, a man takes nothing: that is how a carry is called off.
    const calledOff = this.isCarrying && aim === this.#hand.selected;
    return new Set(calledOff ? [] : this.#takesAt(aim));
  });

  readonly isCarrying = $derived.by(() => this.carried !== null);
  readonly rows = $derived.by(() => rowsOf(this.#props.orientation));
  readonly hints = $derived.by(() => this.#props.hints ?? true);
  readonly coordinates = $derived.by(() => this.#props.coordinates ?? true);
  readonly animationMs = $derived.by(() =>
    prefersReducedMotion.current ? 0 : (this.#props.animationMs ?? DEFAULT_ANIMATION_MS),
  );
  readonly choice = $derived.by(() => this.#hand.choice);
  readonly spokenHand = $derived.by(() => this.#spokenHand);
  readonly drawings = $derived.by(() => [
    ...chainOf(this.#props.pending),
    ...(this.#props.drawings ?? []),
    ...(this.#sketch === null ? this.#drawn : toggled(this.#drawn, this.#sketch)),
  ]);
  /** The one square the Tab key stops at. */
  readonly tabStop = $derived.by(
    () => this.#walked ?? this.#hand.selected ?? this.rows.at(-1)?.[0] ?? 'a1',
  );

  constructor(props: () => BoardProps) {
    this.#read = props;
    this.#followOrientation();
    this.#followPieces();
    // A man that may no longer move is let go, and one that must go on is taken in hand.
    $effect.pre(() => {
      void this.#situation;
      untrack(() => this.#apply({ type: 'reconsider' }, false));
    });
    // Faded men go.
    $effect(() => {
      if (!this.men.some((man) => man.state === 'leaving')) return;
      const timer = setTimeout(() => {
        this.men = this.men.filter((man) => man.state !== 'leaving');
      }, this.animationMs);
      return () => clearTimeout(timer);
    });
  }

  get #props(): BoardProps {
    return this.#read();
  }

  // The state of the squares.

  marksAt(square: Square): SquareMarks {
    const selected = square === this.#hand.selected;
    const target = this.#targets.has(square);
    return {
      selected,
      target: target && !selected,
      takes: target ? this.#takesAt(square) : [],
      inPlace: selected && target,
      endangered: !target && this.#endangered.has(square),
      taken: this.isTaken(square),
      lastMove: this.#lastMove.has(square),
      lastTaken: this.#lastTaken.has(square) && !this.#props.pieces.has(square),
      check: this.#check.has(square),
      pending: this.#pending.has(square),
      mustContinue: square === this.#props.mustContinue,
      touched: this.#touched.has(square),
      planned: this.#planned.has(square),
    };
  }

  isFallen(square: Square): boolean {
    return this.#fallen.has(square);
  }

  isTaken(square: Square): boolean {
    return this.#victims.has(square);
  }

  /** The square answers to a step that ends elsewhere. */
  isAlias(square: Square): boolean {
    return this.#targets.get(square) === 'alias';
  }

  isAimedAt(square: Square): boolean {
    return square === (this.choice?.to ?? this.#aim);
  }

  canLift(square: Square): boolean {
    return this.choice === null && canHold(square, this.#situation);
  }

  /** Where a man is drawn: at the destination while the user says what it becomes there. */
  shownAt(man: Man): Square {
    const { choice } = this;
    return man.state !== 'leaving' && man.square === choice?.from ? choice.to : man.square;
  }

  // The pointer.

  squareUnder(point: Point): Square | null {
    return squareUnder(point, this.#props.orientation);
  }

  hover(square: Square | null): void {
    this.#aimAt(square);
  }

  press(square: Square): void {
    this.#drawn = [];
    this.#aimAt(square);
    this.isByPointer = true;
    this.focus(square);
    if (this.#meets(square, 'main')) return;
    this.#apply({ type: 'press', square });
  }

  carry(point: Point, byTouch: boolean): void {
    if (this.carried === null) this.#apply({ type: 'lift' });
    // The press may have been forgotten meanwhile, as when the position changed.
    const from = this.#hand.pressed;
    this.carried = from === null ? null : { ...point, from, byTouch };
    this.hover(this.squareUnder(point));
  }

  release(square: Square | null): void {
    const lifted = this.carried !== null;
    this.#putDown();
    this.#apply({ type: 'release', square, lifted });
  }

  abort(): void {
    this.release(null);
  }

  activate(square: Square): void {
    this.#drawn = [];
    this.#aimAt(square);
    if (this.#meets(square, 'main')) return;
    this.#apply({ type: 'activate', square });
  }

  refuses(square: Square): boolean {
    return this.#props.onpress?.(square, 'second') ?? false;
  }

  sketch(from: Square, to: Square | null, brush: Brush): void {
    this.#sketch = to === null ? null : { from, to, brush };
  }

  draw(from: Square, to: Square | null, brush: Brush): void {
    this.#sketch = null;
    if (to !== null) this.#drawn = toggled(this.#drawn, { from, to, brush });
  }

  // The keyboard.

  /** Takes the key if it means something to the board. */
  key(square: Square, event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return;
    const next = walk(square, event.key, event.ctrlKey, this.#props.orientation);
    // A press also moves the focus to its square; whoever plays by pointer steps through the game with the arrow keys.
    if (next !== null && this.isByPointer) return;
    this.isByPointer = false;
    if ((event.key === 'Enter' || event.key === ' ') && event.repeat) {
      event.preventDefault();
    } else if (event.key === 'Escape') {
      if (this.choice === null && this.#props.onpress?.(square, 'escape')) {
        event.preventDefault();
        return;
      }
      if (this.#hand.selected === null) this.#drawn = [];
      this.cancel();
    } else if (next !== null) {
      event.preventDefault();
      this.focus(next);
    }
  }

  focused(square: Square): void {
    // The focus came by the Tab key.
    if (!this.#isFocusing) this.isByPointer = false;
    this.#walked = square;
    this.#aimAt(square);
  }

  blurred(): void {
    this.#aimAt(null);
  }

  focus(square: Square): void {
    this.#walked = square;
    this.#isFocusing = true;
    this.#grid
      ?.querySelector<HTMLElement>(`button[data-square="${square}"]`)
      ?.focus({ preventScroll: true });
    this.#isFocusing = false;
  }

  cancel(): void {
    const { choice } = this;
    if (choice !== null) this.men = freed(this.men, choice.from);
    this.#apply({ type: 'cancel' });
    if (choice !== null) this.#focusLater(choice.to);
  }

  choose(step: BoardStep): void {
    const { choice } = this;
    this.#apply({ type: 'choose', step });
    if (choice !== null) this.#focusLater(choice.to);
  }

  readonly attachGrid = (grid: HTMLElement): (() => void) => {
    this.#grid = grid;
    return () => {
      this.#grid = null;
    };
  };

  /** When the squares can be focused again, or have their new names. */
  #focusLater(square: Square): void {
    void tick().then(() => this.focus(square));
  }

  /** Tells the owner what was pressed; returns whether that was all it meant. */
  #meets(square: Square, how: 'main'): boolean {
    if (this.choice !== null) return false;
    if (this.#props.pieces.has(square)) this.#props.ontouch?.(square);
    return this.#props.onpress?.(square, how) ?? false;
  }

  #aimAt(square: Square | null): void {
    if (this.#aim === square) return;
    this.#aim = square;
    this.#props.onaim?.(square);
  }

  #takesAt(square: Square | null): readonly Square[] {
    return takenBetween(this.#steps, this.#hand.selected, square);
  }

  #apply(action: HandAction, spoken = true): void {
    const before = this.#hand;
    const { hand, step, refused } = handle(before, action, this.#situation);
    this.#hand = hand;
    const home = this.#carriedHome;
    this.#carriedHome = null;
    if (home !== null && step === null && hand.choice === null) this.men = freed(this.men, home);
    if (home === null && before.choice === null && hand.choice !== null)
      this.men = freed(this.men, hand.choice.from);
    if (hand.selected !== before.selected) {
      this.#spokenHand = spoken && step === null ? this.#sayHand(hand.selected) : '';
      this.#props.onselect?.(hand.selected);
    }
    if (refused !== undefined) this.#props.onrefuse?.(refused.from, refused.to);
    if (step === null) return;
    // A man that was dropped, or is already shown at its destination, must not glide there again.
    this.#played = { step, byHand: home !== null || before.choice !== null };
    this.#props.onstep(step);
  }

  #putDown(): void {
    this.#carriedHome = this.carried?.from ?? null;
    this.carried = null;
  }

  #sayHand(selected: Square | null): string {
    const { labels, pieces } = this.#props;
    const piece = selected === null ? undefined : pieces.get(selected);
    if (selected === null || piece === undefined) return labels.deselected;
    return labels.selected(selected, piece, [...this.#targets.keys()]);
  }

  #followPieces(): void {
    $effect.pre(() => {
      const { pieces } = this.#props;
      const next = [...this.#props.lastMove, ...this.#props.pending];
      untrack(() => {
        const played = this.#played;
        const step = played?.step;
        // Where it comes from matters as much as where it goes: turns are also taken back.
        const about = new Set([...this.#about, ...next, ...(step ? [step.from, step.to] : [])]);
        this.#about = next;
        this.men = reconcile(this.men, {
          pieces,
          about,
          placed: played?.byHand === true ? played.step.to : null,
        });
        this.#played = null;
        if (this.carried !== null && this.#hand.pressed === null) this.carried = null;
      });
    });
  }

  /** Turns the board at once, without every man walking through the others. */
  #followOrientation(): void {
    let seen = this.#props.orientation;
    $effect.pre(() => {
      const { orientation } = this.#props;
      if (orientation === seen) return;
      seen = orientation;
      untrack(() => {
        this.men = atRest(this.men);
        // The buttons keep their places and change their names: the focus follows the name.
        const square = this.#walked;
        if (square === null || !this.#grid?.contains(document.activeElement)) return;
        this.#focusLater(square);
      });
    });
  }
}
