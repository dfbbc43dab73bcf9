/** A turn of the visitor's that the page shows and the server has not accepted yet. */
interface Pending {
  /** The id of the command by which it was sent; null as long as the visitor has not confirmed it. */
  readonly command: string | null;
  readonly turn: string;
  /** How many turns had been played before it. */
  readonly ply: number;
}

/** The turn of the visitor's that is shown as if it had been accepted: it waits to be confirmed, or for the server's answer. */
export class UnansweredTurn {
  #pending: Pending | null = $state.raw(null);
  /** Sends a turn; returns the id of the command. */
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

  /** Keeps a turn until the visitor has confirmed it. */
  hold(turn: string, ply: number): void {
    this.#pending = { command: null, turn, ply };
  }

  send(turn: string, ply: number): void {
    this.#pending = { command: this.#send(turn), turn, ply };
  }

  /** Sends the turn that waits to be confirmed, if one does. */
  confirm(): void {
    const pending = this.#pending;
    if (pending?.command === null) this.send(pending.turn, pending.ply);
  }

  /** Whether a game with this many turns has one in the place of this turn: accepted, or another one. */
  isAnsweredBy(turns: number): boolean {
    return this.#pending !== null && turns > this.#pending.ply;
  }

  /** Whether the turn was sent by this command. */
  isSentBy(command: string): boolean {
    return this.#pending?.command === command;
  }

  clear(): void {
    this.#pending = null;
  }
}
