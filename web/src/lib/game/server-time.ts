/**
 * What time it is at the server. Each of its messages says when it was written and is heard a while
 * later, so the smallest difference ever seen is the nearest to the truth.
 */
export class ServerTime {
  /** This clock minus the server's. */
  #ahead: number | null = null;

  constructor(
    private readonly clock: () => number = () => performance.timeOrigin + performance.now(),
  ) {}

  heard(at: number): void {
    const ahead = this.clock() - at;
    this.#ahead = this.#ahead === null ? ahead : Math.min(this.#ahead, ahead);
  }

  now(): number {
    return this.clock() - (this.#ahead ?? 0);
  }
}
