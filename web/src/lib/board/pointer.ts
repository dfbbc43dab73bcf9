/**
 * Translates mouse, touch and pen input into gestures on squares. A gesture begins on the grid;
 * from then on window events are handled, so that a piece can be dragged beyond the edge and back.
 */
import { brushOf } from './drawings';
import { squareNamed, type Point } from './geometry';
import type { Brush, Square } from './types';

export interface Gestures {
  squareUnder(point: Point): Square | null;
  /** Returns true if the piece on this square can be dragged. */
  canDrag(square: Square): boolean;
  hover(square: Square | null): void;
  press(square: Square): void;
  drag(point: Point, byTouch: boolean): void;
  release(square: Square | null): void;
  /** Called when a press or drag is cancelled. */
  abort(): void;
  activate(square: Square): void;
  /**
   * Called when a finger or pen rests on a square; returns true if that had an effect. The gesture
   * then ends.
   */
  rest(square: Square): boolean;
  /**
   * Called when the secondary button is pressed on a square; returns true if that had an effect, in
   * which case nothing is drawn.
   */
  pressSecondary(square: Square): boolean;
  sketch(from: Square, to: Square | null, brush: Brush): void;
  draw(from: Square, to: Square | null, brush: Brush): void;
}

/** Distance in pixels after which a press becomes a drag. A finger is less steady than a mouse. */
const DRAG_THRESHOLD = { mouse: 4, touch: 8 };
/** Time in milliseconds after which a motionless finger or pen counts as resting on a square. */
const REST_MS = 500;
/**
 * Time in milliseconds after a gesture during which a click is ignored, because the browser derives
 * it from the gesture.
 */
const SYNTHETIC_CLICK_MS = 500;

/**
 * Returns true if the button was released without the page noticing, for example over another
 * window.
 */
function isLost(event: PointerEvent): boolean {
  return event.pointerType === 'mouse' && event.buttons === 0;
}

export function pointerGestures(gestures: Gestures): (grid: HTMLElement) => () => void {
  return (grid) => {
    let ending: AbortController | null = null;
    let holding = false;
    let endedAt = Number.NEGATIVE_INFINITY;
    /** Whether the last press of any pointer was on the grid. */
    let beganOnGrid = false;
    const listening = new AbortController();
    const { signal } = listening;

    const pointOf = (event: MouseEvent): Point => {
      const box = grid.getBoundingClientRect();
      return {
        x: ((event.clientX - box.left) / box.width) * 8,
        y: ((event.clientY - box.top) / box.height) * 8,
      };
    };
    const squareOf = (event: MouseEvent) => gestures.squareUnder(pointOf(event));

    /** Follows one pointer until it is released, lost or cancelled. */
    const follow = (
      first: PointerEvent,
      move: (event: PointerEvent) => void,
      end: (event: PointerEvent | null) => void,
    ) => {
      ending?.abort();
      const controller = new AbortController();
      ending = controller;
      const finish = (event: PointerEvent | null) => {
        if (controller.signal.aborted) return;
        controller.abort();
        ending = null;
        holding = false;
        endedAt = event?.timeStamp ?? first.timeStamp;
        end(event);
      };
      const options = { signal: controller.signal };
      const ifTracked = (handler: (event: PointerEvent) => void) => (event: PointerEvent) => {
        if (event.pointerId === first.pointerId) handler(event);
      };
      addEventListener(
        'pointermove',
        ifTracked((event) => (isLost(event) ? finish(null) : move(event))),
        options,
      );
      // While a button is down, pressing or releasing another one is reported as a pointermove, so
      // this is the release of the last button.
      addEventListener('pointerup', ifTracked(finish), options);
      addEventListener(
        'pointercancel',
        ifTracked(() => finish(null)),
        options,
      );
      addEventListener('blur', () => finish(null), options);
      addEventListener('keydown', (event) => event.key === 'Escape' && finish(null), {
        ...options,
        capture: true,
      });
      return { stop: () => finish(null) };
    };

    const play = (first: PointerEvent, square: Square) => {
      const byTouch = first.pointerType !== 'mouse';
      const threshold = byTouch ? DRAG_THRESHOLD.touch : DRAG_THRESHOLD.mouse;
      let dragging = false;
      let moved = false;
      holding = gestures.canDrag(square);
      gestures.press(square);
      const following = follow(
        first,
        (event) => {
          // The secondary button cancels a drag.
          if ((event.buttons & 2) !== 0) return following.stop();
          const offset = Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY);
          moved ||= offset > threshold;
          dragging ||= holding && offset > threshold;
          if (dragging) gestures.drag(pointOf(event), byTouch);
        },
        (event) => {
          clearTimeout(resting);
          if (event === null) gestures.abort();
          else gestures.release(squareOf(event));
        },
      );
      const resting = byTouch
        ? setTimeout(() => {
            if (moved || !gestures.rest(square)) return;
            following.stop();
            // When the finger is lifted, the browser reports a click, however long the press was.
            const lifted = (event: PointerEvent): void => {
              if (event.pointerId === first.pointerId) endedAt = event.timeStamp;
            };
            addEventListener('pointerup', lifted, { signal, once: true });
          }, REST_MS)
        : undefined;
    };

    const draw = (first: PointerEvent, from: Square) => {
      if (gestures.pressSecondary(from)) return;
      const brush = brushOf(first);
      gestures.sketch(from, from, brush);
      follow(
        first,
        (event) => gestures.sketch(from, squareOf(event), brush),
        (event) => gestures.draw(from, event === null ? null : squareOf(event), brush),
      );
    };

    grid.addEventListener(
      'pointerdown',
      (event) => {
        const square = squareOf(event);
        if (ending !== null || square === null) return;
        // On a Mac, Ctrl-click stands for the secondary button.
        if (event.button === 2 || (event.button === 0 && event.ctrlKey)) draw(event, square);
        else if (event.button === 0) play(event, square);
      },
      { signal },
    );
    grid.addEventListener(
      'pointermove',
      (event) => {
        if (event.pointerType === 'mouse' && ending === null) gestures.hover(squareOf(event));
      },
      { signal },
    );
    grid.addEventListener(
      'pointerleave',
      () => {
        if (ending === null) gestures.hover(null);
      },
      { signal },
    );
    // The default would move the focus, select text and drag images.
    grid.addEventListener('mousedown', (event) => event.preventDefault(), { signal });
    grid.addEventListener('contextmenu', (event) => event.preventDefault(), { signal });
    // `touch-action` on the squares has the same effect in browsers that support it.
    grid.addEventListener(
      'touchmove',
      (event) => {
        if (event.cancelable && holding) event.preventDefault();
      },
      { signal, passive: false },
    );
    const isDerived = (event: MouseEvent): boolean =>
      event.detail > 0 && event.timeStamp - endedAt < SYNTHETIC_CLICK_MS;
    addEventListener(
      'pointerdown',
      ({ target }) => (beganOnGrid = target instanceof Node && grid.contains(target)),
      { signal, capture: true },
    );
    // On a touch screen, the click derived from a tap goes to whatever is under the finger by then,
    // such as a promotion picker that the tap opened.
    addEventListener(
      'click',
      (event) => {
        const isOutside = !(event.target instanceof Node && grid.contains(event.target));
        if (!beganOnGrid || !isOutside || !isDerived(event)) return;
        event.preventDefault();
        event.stopPropagation();
      },
      { signal, capture: true },
    );
    // A click without a preceding gesture comes from the keyboard or from assistive technology.
    grid.addEventListener(
      'click',
      (event) => {
        if (isDerived(event)) return;
        const button = event.target instanceof Element ? event.target.closest('button') : null;
        const square = squareNamed(button?.dataset['square']);
        if (square !== null) gestures.activate(square);
      },
      { signal },
    );

    return () => {
      ending?.abort();
      listening.abort();
    };
  };
}
