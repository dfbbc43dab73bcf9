import type { Square } from '../board';

interface PaletteDrag {
  /**
   * Called while a piece is carried, with the pointer's position in pixels; null at the end.
   */
  oncarry: (at: { x: number; y: number } | null) => void;
  /** Called when the piece is dropped on a square of a board. */
  ondrop: (square: Square) => void;
}

/** Distance in pixels beyond which a press becomes a drag. A press that moves less is a click. */
const thresholdPx = 6;

function squareAt(x: number, y: number): Square | null {
  const button = document.elementFromPoint(x, y)?.closest<HTMLElement>('button[data-square]');
  return (button?.dataset['square'] as Square | undefined) ?? null;
}

/** Lets an element be dragged onto a board, by mouse, pen or finger. */
export function dragOntoBoard(drag: PaletteDrag): (source: HTMLElement) => () => void {
  return (source) => {
    const listening = new AbortController();
    let controller: AbortController | null = null;

    const finish = (): void => {
      controller?.abort();
      controller = null;
      drag.oncarry(null);
    };

    source.addEventListener(
      'pointerdown',
      (first) => {
        if (first.button !== 0 || controller !== null) return;
        controller = new AbortController();
        const options = { signal: controller.signal };
        let isCarried = false;
        const ifTracked = (handler: (event: PointerEvent) => void) => (event: PointerEvent) => {
          if (event.pointerId === first.pointerId) handler(event);
        };
        addEventListener(
          'pointermove',
          ifTracked(({ clientX: x, clientY: y }) => {
            isCarried ||= Math.hypot(x - first.clientX, y - first.clientY) > thresholdPx;
            if (isCarried) drag.oncarry({ x, y });
          }),
          options,
        );
        addEventListener(
          'pointerup',
          ifTracked(({ clientX, clientY }) => {
            const square = isCarried ? squareAt(clientX, clientY) : null;
            finish();
            if (square !== null) drag.ondrop(square);
          }),
          options,
        );
        addEventListener('pointercancel', ifTracked(finish), options);
        addEventListener('blur', finish, options);
        addEventListener('keydown', (event) => event.key === 'Escape' && finish(), options);
      },
      { signal: listening.signal },
    );
    // Without this, the image in a label could be dragged as a file.
    source.addEventListener('dragstart', (event) => event.preventDefault(), {
      signal: listening.signal,
    });
    return () => {
      finish();
      listening.abort();
    };
  };
}
