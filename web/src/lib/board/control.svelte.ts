import { tick, untrack } from 'svelte';
import { prefersReducedMotion } from 'svelte/motion';
import { afterPaint } from '../after-paint';
import { chainOf, toggled } from './drawings';
import { rowsOf, squareUnder, squareAfterKey, type Point } from './geometry';
import { settle, allowGlide, reconcile, type DrawnPiece } from './drawn-pieces';
import type { Gestures } from './pointer';
import {
  canSelect,
  EMPTY_SELECTION,
  handle,
  takenBetween,
  targetsOf,
  type Selection,
  type SelectionAction,
  type Situation,
} from './selection';
import { sameMarks } from './marks';
import type {
  BoardDrawing,
  BoardPiece,
  BoardProps,
  BoardStep,
  Brush,
  Square,
  SquareMarks,
} from './types';

/** A piece that is being dragged. */
export interface DraggedPiece extends Point {
  readonly from: Square;
  readonly byTouch: boolean;
}

const DEFAULT_ANIMATION_MS = 200;

/**
 * State of one board: its selection, pieces and marks. Must be created while a component is being
 * initialised.
 */
export class BoardControl implements Gestures {
  readonly #read: () => BoardProps;
  #selection: Selection = $state.raw(EMPTY_SELECTION);
  /** The square under the pointer or with the keyboard focus, whichever changed last. */
  #aim: Square | null = $state.raw(null);
  #userDrawings: readonly BoardDrawing[] = $state.raw([]);
  #sketch: BoardDrawing | null = $state.raw(null);
  #focusedSquare: Square | null = $state.raw(null);
  #announcedSelection = $state.raw('');
  #grid: HTMLElement | null = null;
  /** The step last passed to the owner, until the owner passes the new pieces. */
  #played: {
    readonly step: Pick<BoardStep, 'from' | 'to'>;
    readonly byHand: boolean;
  } | null = null;
  /** The squares of the last move and of the unfinished turn in the position now drawn. */
  #involved: readonly Square[] = [];
  /** The marks last returned for each square. */
  readonly #knownMarks = new Map<Square, SquareMarks>();
  readonly #knownPieces = new Map<Square, BoardPiece>();
  /** The square that is pressed on a board whose pieces can be rearranged. */
  #rearrangedFrom: Square | null = null;
  /** The origin of the drag that has just ended. */
  #draggedFrom: Square | null = null;

  /** Whether the board itself is moving the focus. */
  #isFocusing = false;

  /**
   * Whether the pointer was used last. If so, the focus is not shown, and the board ignores the
   * arrow keys.
   */
  isByPointer = $state.raw(false);
  drawnPieces: readonly DrawnPiece[] = $state.raw([]);
  dragged: DraggedPiece | null = $state.raw(null);

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
  readonly #binding = $derived.by(() => new Set(this.#props.binding));
  readonly #planned = $derived.by(() => new Set(this.#props.planned));
  readonly #fallen = $derived.by(() => new Set(this.#props.fallen));
  /** The steps of the selected piece. */
  readonly #steps = $derived.by(() => {
    const { steps, disabled } = this.#situation;
    return disabled ? [] : steps.filter((step) => step.from === this.#selection.selected);
  });
  readonly #targets = $derived.by(() => targetsOf(this.#steps, this.#selection.selected));
  /** The pieces that the selected piece can capture. */
  readonly #endangered = $derived.by(() => new Set(this.#steps.flatMap(({ takes }) => takes)));
  readonly #victims = $derived.by(() => {
    const aim = this.choice?.to ?? this.#aim;
    // Dragging a piece back to its square cancels the drag, so no captures are marked.
    const isCancelled = this.isDragging && aim === this.#selection.selected;
    return new Set(isCancelled ? [] : this.#takesAt(aim));
  });

  readonly isDragging = $derived.by(() => this.dragged !== null);
  readonly rows = $derived.by(() => rowsOf(this.#props.orientation));
  readonly hints = $derived.by(() => this.#props.hints ?? true);
  readonly coordinates = $derived.by(() => this.#props.coordinates ?? true);
  readonly animationMs = $derived.by(() =>
    prefersReducedMotion.current ? 0 : (this.#props.animationMs ?? DEFAULT_ANIMATION_MS),
  );
  readonly choice = $derived.by(() => this.#selection.choice);
  readonly announcedSelection = $derived.by(() => this.#announcedSelection);
  readonly drawings = $derived.by(() => [
    ...chainOf(this.#props.pending),
    ...(this.#props.drawings ?? []),
    ...(this.#sketch === null ? this.#userDrawings : toggled(this.#userDrawings, this.#sketch)),
  ]);
  /** The only square in the tab order. */
  readonly tabStop = $derived.by(
    () => this.#focusedSquare ?? this.#selection.selected ?? this.rows.at(-1)?.[0] ?? 'a1',
  );

  constructor(props: () => BoardProps) {
    this.#read = props;
    this.#followOrientation();
    this.#followPieces();
    // Deselects a piece that may no longer be selected, and selects one that must continue.
    $effect.pre(() => {
      void this.#situation;
      untrack(() => this.#apply({ type: 'reconsider' }, false));
    });
    // Removes captured pieces after they have faded out.
    $effect(() => {
      if (!this.drawnPieces.some((drawn) => drawn.state === 'leaving')) return;
      const timer = setTimeout(() => {
        this.drawnPieces = this.drawnPieces.filter((drawn) => drawn.state !== 'leaving');
      }, this.animationMs);
      return () => clearTimeout(timer);
    });
  }

  get #props(): BoardProps {
    return this.#read();
  }

  // Squares.

  // The next two methods return the same object while its content is unchanged, so that a change
  // updates only the squares that it affects. On a slow processor, updating all 64 takes longer than
  // a frame.

  pieceAt(square: Square): BoardPiece | null {
    const piece = this.#props.pieces.get(square);
    if (piece === undefined) return null;
    const known = this.#knownPieces.get(square);
    if (known?.color === piece.color && known.role === piece.role) return known;
    this.#knownPieces.set(square, piece);
    return piece;
  }

  marksAt(square: Square): SquareMarks {
    const marks = this.#computeMarks(square);
    const known = this.#knownMarks.get(square);
    if (known !== undefined && sameMarks(known, marks)) return known;
    this.#knownMarks.set(square, marks);
    return marks;
  }

  #computeMarks(square: Square): SquareMarks {
    const selected = square === this.#selection.selected;
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
      binding: this.#binding.has(square),
      planned: this.#planned.has(square),
    };
  }

  isFallen(square: Square): boolean {
    return this.#fallen.has(square);
  }

  isTaken(square: Square): boolean {
    return this.#victims.has(square);
  }

  /** Returns true if a step that ends elsewhere can also be played by choosing this square. */
  isAlias(square: Square): boolean {
    return this.#targets.get(square) === 'alias';
  }

  isAimedAt(square: Square): boolean {
    return square === (this.choice?.to ?? this.#aim);
  }

  canDrag(square: Square): boolean {
    if (this.#canRearrange) return this.#props.pieces.has(square);
    return this.choice === null && canSelect(square, this.#situation);
  }

  /**
   * Returns the square where a piece is drawn: its destination while the user chooses a promotion.
   */
  shownAt(drawn: DrawnPiece): Square {
    const { choice } = this;
    return drawn.state !== 'leaving' && drawn.square === choice?.from ? choice.to : drawn.square;
  }

  // Pointer.

  squareUnder(point: Point): Square | null {
    return squareUnder(point, this.#props.orientation);
  }

  hover(square: Square | null): void {
    this.#aimAt(square);
  }

  press(square: Square): void {
    this.#userDrawings = [];
    this.#aimAt(square);
    this.isByPointer = true;
    this.focus(square);
    if (this.#canRearrange) {
      this.#rearrangedFrom = square;
      return;
    }
    if (this.#reportPress(square)) return;
    this.#apply({ type: 'press', square });
  }

  drag(point: Point, byTouch: boolean): void {
    if (this.#canRearrange) {
      const from = this.#rearrangedFrom;
      const isThere = from !== null && this.#props.pieces.has(from);
      this.dragged = isThere ? { ...point, from, byTouch } : null;
      this.hover(this.squareUnder(point));
      return;
    }
    if (this.dragged === null) this.#apply({ type: 'lift' });
    // The press may have been discarded since, for example because the position changed.
    const from = this.#selection.pressed;
    this.dragged = from === null ? null : { ...point, from, byTouch };
    this.hover(this.squareUnder(point));
  }

  release(square: Square | null): void {
    const lifted = this.dragged !== null;
    if (this.#canRearrange) {
      this.#releaseRearranged(square, lifted);
      return;
    }
    this.#putDown();
    this.#apply({ type: 'release', square, lifted });
  }

  abort(): void {
    if (this.#canRearrange) {
      this.#rearrangedFrom = null;
      this.dragged = null;
      return;
    }
    this.release(null);
  }

  rest(square: Square): boolean {
    if (!this.#canRearrange || !this.#props.pieces.has(square)) return false;
    return this.pressSecondary(square);
  }

  activate(square: Square): void {
    this.#userDrawings = [];
    this.#aimAt(square);
    if (this.#reportPress(square)) return;
    this.#apply({ type: 'activate', square });
  }

  pressSecondary(square: Square): boolean {
    return this.#props.onpress?.(square, 'secondary') ?? false;
  }

  sketch(from: Square, to: Square | null, brush: Brush): void {
    this.#sketch = to === null ? null : { from, to, brush };
  }

  draw(from: Square, to: Square | null, brush: Brush): void {
    this.#sketch = null;
    if (to !== null) this.#userDrawings = toggled(this.#userDrawings, { from, to, brush });
  }

  // Keyboard.

  /** Handles a key if the board uses it. */
  key(square: Square, event: KeyboardEvent): void {
    if (event.altKey || event.metaKey) return;
    const next = squareAfterKey(square, event.key, event.ctrlKey, this.#props.orientation);
    // Pressing a square also focuses it, but someone who plays with a pointer expects the arrow keys
    // to step through the game.
    if (next !== null && this.isByPointer) return;
    if (event.key === 'Enter' || event.key === ' ') {
      this.isByPointer = false;
      if (event.repeat) event.preventDefault();
    } else if (event.key === 'Escape') {
      if (this.choice === null && this.#props.onpress?.(square, 'escape')) {
        event.preventDefault();
        return;
      }
      if (this.#selection.selected === null) this.#userDrawings = [];
      this.cancel();
    } else if (next !== null) {
      event.preventDefault();
      this.focus(next);
    }
  }

  focused(square: Square): void {
    // If the board did not move the focus itself, the Tab key did.
    if (!this.#isFocusing) this.isByPointer = false;
    this.#focusedSquare = square;
    this.#aimAt(square);
  }

  blurred(): void {
    this.#aimAt(null);
  }

  focus(square: Square): void {
    this.#focusedSquare = square;
    this.#isFocusing = true;
    this.#grid
      ?.querySelector<HTMLElement>(`button[data-square="${square}"]`)
      ?.focus({ preventScroll: true });
    this.#isFocusing = false;
  }

  cancel(): void {
    const { choice } = this;
    if (choice !== null) this.drawnPieces = allowGlide(this.drawnPieces, choice.from);
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

  /** Whether the pieces can be rearranged at will. */
  get #canRearrange(): boolean {
    return this.#props.onrearrange !== undefined;
  }

  #releaseRearranged(square: Square | null, lifted: boolean): void {
    const from = this.#rearrangedFrom;
    this.#rearrangedFrom = null;
    this.dragged = null;
    if (from === null || (lifted && square === from)) return;
    if (lifted) {
      this.#played = { step: { from, to: square ?? from }, byHand: true };
      this.#props.onrearrange?.(from, square);
    } else if (square === from) {
      this.#reportPress(square);
    }
  }

  /**
   * Focuses a square after the next update: only then has the promotion picker closed or the board
   * been flipped.
   */
  #focusLater(square: Square): void {
    void tick().then(() => this.focus(square));
  }

  /** Reports the pressed square to the owner; returns true if the board should do nothing else. */
  #reportPress(square: Square): boolean {
    if (this.choice !== null) return false;
    if (this.#props.pieces.has(square)) this.#props.ontouch?.(square);
    return this.#props.onpress?.(square, 'primary') ?? false;
  }

  #aimAt(square: Square | null): void {
    if (this.#aim === square) return;
    this.#aim = square;
    this.#props.onaim?.(square);
  }

  #takesAt(square: Square | null): readonly Square[] {
    return takenBetween(this.#steps, this.#selection.selected, square);
  }

  #apply(action: SelectionAction, spoken = true): void {
    const before = this.#selection;
    const { selection, step, refused } = handle(before, action, this.#situation);
    this.#selection = selection;
    const home = this.#draggedFrom;
    this.#draggedFrom = null;
    if (home !== null && step === null && selection.choice === null)
      this.drawnPieces = allowGlide(this.drawnPieces, home);
    if (home === null && before.choice === null && selection.choice !== null)
      this.drawnPieces = allowGlide(this.drawnPieces, selection.choice.from);
    if (selection.selected !== before.selected) {
      this.#announcedSelection = '';
      if (spoken && step === null) this.#announceSelection();
      this.#props.onselect?.(selection.selected);
    }
    if (refused !== undefined) this.#props.onrefuse?.(refused.from, refused.to);
    if (step === null) return;
    // A piece that was dropped, or is already drawn at its destination, must not glide there again.
    this.#played = { step, byHand: home !== null || before.choice !== null };
    this.#props.onstep(step);
  }

  #putDown(): void {
    this.#draggedFrom = this.dragged?.from ?? null;
    this.dragged = null;
  }

  /** Announces the current selection, after the frame that shows it. */
  #announceSelection(): void {
    const { selected } = this.#selection;
    afterPaint(() => {
      // The selection has changed since, so this one is no longer announced.
      if (this.#selection.selected !== selected) return;
      const { labels, pieces } = this.#props;
      const piece = selected === null ? undefined : pieces.get(selected);
      this.#announcedSelection =
        selected === null || piece === undefined
          ? labels.deselected
          : labels.selected(selected, piece, [...this.#targets.keys()]);
    });
  }

  #followPieces(): void {
    $effect.pre(() => {
      const { pieces } = this.#props;
      const next = [...this.#props.lastMove, ...this.#props.pending];
      untrack(() => {
        const played = this.#played;
        const step = played?.step;
        // Include the previous squares as well: the turn may have been taken back.
        const about = new Set([...this.#involved, ...next, ...(step ? [step.from, step.to] : [])]);
        this.#involved = next;
        this.drawnPieces = reconcile(this.drawnPieces, {
          pieces,
          about,
          placed: played?.byHand === true ? played.step.to : null,
        });
        this.#played = null;
        if (this.dragged !== null && this.#selection.pressed === null) this.dragged = null;
      });
    });
  }

  /** Flips the board at once, without moving every piece across it. */
  #followOrientation(): void {
    let seen = this.#props.orientation;
    $effect.pre(() => {
      const { orientation } = this.#props;
      if (orientation === seen) return;
      seen = orientation;
      untrack(() => {
        this.drawnPieces = settle(this.drawnPieces);
        // The buttons keep their places but change their names; the focus follows the name.
        const square = this.#focusedSquare;
        if (square === null || !this.#grid?.contains(document.activeElement)) return;
        this.#focusLater(square);
      });
    });
  }
}
