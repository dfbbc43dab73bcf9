/** Touches sent to the server and not yet acknowledged. Each piece is reported once. */
export class SentTouches {
  /** Squares by command id. */
  readonly #squares = new Map<string, string>();

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

  clear(): void {
    this.#squares.clear();
  }
}
