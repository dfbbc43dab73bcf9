/** How far to scroll for one step, in pixels. One notch of a mouse wheel scrolls about 100. */
const stepPx = 60;
/** The heights of a pixel, a line and a page in pixels, by `deltaMode`. */
const unitPx = [1, 20, 600];
/** A pause after which the count starts over, in milliseconds. */
const pauseMs = 300;

/** Turns the movements of a mouse wheel or trackpad into steps, forwards (1) and backwards (-1). */
export class WheelSteps {
  #turned = 0;
  #lastAt = Number.NEGATIVE_INFINITY;

  /** Adds a movement; returns the step that it completes, or 0. */
  turn({
    deltaY,
    deltaMode,
    timeStamp,
  }: Pick<WheelEvent, 'deltaY' | 'deltaMode' | 'timeStamp'>): -1 | 0 | 1 {
    if (timeStamp - this.#lastAt > pauseMs || Math.sign(deltaY) !== Math.sign(this.#turned))
      this.#turned = 0;
    this.#lastAt = timeStamp;
    this.#turned += deltaY * (unitPx[deltaMode] ?? 1);
    if (Math.abs(this.#turned) < stepPx) return 0;
    const step = this.#turned > 0 ? 1 : -1;
    this.#turned = 0;
    return step;
  }
}
