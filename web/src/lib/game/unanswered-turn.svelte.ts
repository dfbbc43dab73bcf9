/** A turn that the visitor has played and the page shows, but that the server has not accepted. */
interface PendingTurn {
  /** Id of the command that sent it; null before the visitor has confirmed it. */
  readonly command: string | null;
  readonly turn: string;
  /** Number of turns played before it. */
  readonly ply: number;
}

/**
 * The visitor's turn, shown as if it had been accepted, while it is waiting for confirmation or for
 * the server.
 */
export class UnansweredTurn {
  #pending: PendingTurn | null = $state.raw(null);
  /** Sends a turn; returns the command id. */
  readonly #send: (turn: string) => string;

  constructor(send: (turn: string) => string) {
    this.#send = send;
  }

  get isEmpty(): boolean {
    return this.#pending === null;
  }

  get isConfirming(): boolean {
    return this.#pending !== null && this.#pending.command === null;
  }

  get isSending(): boolean {
    return this.#pending !== null && this.#pending.command !== null;
  }

  /** The text of the turn; null if there is none. */
  get text(): string | null {
    return this.#pending?.turn ?? null;
  }

  /** Holds a turn until the visitor has confirmed it. */
  hold(turn: string, ply: number): void {
    this.#pending = { command: null, turn, ply };
  }

  send(turn: string, ply: number): void {
    this.#pending = { command: this.#send(turn), turn, ply };
  }

  /** Sends the turn that is waiting for confirmation, if any. */
  confirm(): void {
    const pending = this.#pending;
    if (pending?.command === null) this.send(pending.turn, pending.ply);
  }

  /**
   * Returns true if a game with this many turns already contains this turn, or another one in its
   * place.
   */
  isAnsweredBy(turns: number): boolean {
    return this.#pending !== null && turns > this.#pending.ply;
  }

  /** Returns true if this command sent the turn. */
  isSentBy(command: string): boolean {
    return this.#pending?.command === command;
  }

  clear(): void {
    this.#pending = null;
  }
}
