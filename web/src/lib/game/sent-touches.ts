/** Touches sent to the server and not yet confirmed. */
export class SentTouches {
  /** Squares by command id; null if the touch no longer concerns the current turn. */
  readonly #squares = new Map<string, string | null>();

  add(command: string, square: string): void {
    this.#squares.set(command, square);
  }

  includes(square: string): boolean {
    return [...this.#squares.values()].includes(square);
  }

  /** Handles a touch confirmed by the server. */
  confirmed(square: string): void {
    for (const [command, sent] of this.#squares) if (sent === square) this.#squares.delete(command);
  }

  /** Handles a refused command; returns true if it was a touch. */
  refused(command: string): boolean {
    return this.#squares.delete(command);
  }

  /** Forgets the squares, because another turn begins. Touches in transit may still be refused. */
  clear(): void {
    for (const command of this.#squares.keys()) this.#squares.set(command, null);
  }
}
