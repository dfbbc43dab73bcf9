/** Touches that the server has been told of and has not answered: of each man it is told once. */
export class SentTouches {
  /** Squares by the id of the command. */
  readonly #squares = new Map<string, string>();

  add(command: string, square: string): void {
    this.#squares.set(command, square);
  }

  includes(square: string): boolean {
    return [...this.#squares.values()].includes(square);
  }

  /** The server has told of a touch. */
  told(square: string): void {
    for (const [command, sent] of this.#squares) if (sent === square) this.#squares.delete(command);
  }

  /** A command was refused; returns whether it was a touch. */
  refused(command: string): boolean {
    return this.#squares.delete(command);
  }

  clear(): void {
    this.#squares.clear();
  }
}
