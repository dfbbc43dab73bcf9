/**
 * Estimates the server's time. Each message carries the time at which it was sent and arrives some
 * time later, so the smallest difference observed is the best estimate.
 */
export class ServerTime {
  /** The smallest observed difference between this clock and a message's time, in milliseconds. */
  #ahead: number | null = null;

  constructor(
    private readonly clock: () => number = () => performance.timeOrigin + performance.now(),
  ) {}

  observe(at: number): void {
    const ahead = this.clock() - at;
    this.#ahead = this.#ahead === null ? ahead : Math.min(this.#ahead, ahead);
  }

  now(): number {
    return this.clock() - (this.#ahead ?? 0);
  }
}
