/** The part of `WebSocket` used here, so that tests can replace it. */
export interface SocketLike {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

export const connections = ['connecting', 'open', 'reconnecting', 'closed'] as const;
export type Connection = (typeof connections)[number];

export interface LineOptions<Said> {
  open(): SocketLike;
  /** Called when the connection opens, to send the first messages. */
  opened?: () => void;
  heard(message: Said): void;
  connection(state: Connection): void;
  /** A number in [0, 1), for the jitter. */
  random?: () => number;
}

const firstDelayMs = 500;
const longestDelayMs = 15_000;
const pingEveryMs = 20_000;
const answerWithinMs = 10_000;

/** Returns the delay before retry number `attempt` (from 0): exponential, minus a jitter of up to half. */
export function backoffMs(attempt: number, random: number): number {
  const whole = Math.min(firstDelayMs * 2 ** attempt, longestDelayMs);
  return whole / 2 + (whole / 2) * random;
}

/**
 * A socket that reconnects when the connection is lost. It sends `ping` after receiving nothing for a while, to
 * detect a dead connection. It does not interpret other messages.
 */
export class Line<Said> {
  #options: LineOptions<Said>;
  #socket: SocketLike | null = null;
  #attempt = 0;
  #isOpen = false;
  #stopped = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LineOptions<Said>) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  connect(): void {
    if (this.#socket || this.#stopped) return;
    clearTimeout(this.#retry);
    this.#options.connection(this.#attempt === 0 ? 'connecting' : 'reconnecting');
    const socket = this.#options.open();
    this.#socket = socket;
    this.#expectWithin(answerWithinMs);
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = (event) => this.#received(socket, event.data);
    socket.onclose = () => this.#dropped(socket);
  }

  /** Reconnects at once, without waiting for the delay, because the network or the page is back. */
  hurry(): void {
    if (!this.#socket) this.connect();
  }

  /** Sends a message if the connection is open; returns whether it was. */
  say(message: object): boolean {
    if (!this.#socket || !this.#isOpen) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.#stopped = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#heartbeat);
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    socket?.close();
    this.#options.connection('closed');
  }

  #opened(socket: SocketLike): void {
    if (socket !== this.#socket) return;
    this.#isOpen = true;
    this.#options.connection('open');
    this.#options.opened?.();
    this.#pingLater();
  }

  #dropped(socket: SocketLike): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#isOpen = false;
    clearTimeout(this.#heartbeat);
    if (this.#stopped) return;
    const delay = backoffMs(this.#attempt, (this.#options.random ?? Math.random)());
    this.#attempt += 1;
    this.#options.connection('reconnecting');
    this.#retry = setTimeout(() => this.connect(), delay);
  }

  #received(socket: SocketLike, data: unknown): void {
    if (socket !== this.#socket) return;
    this.#pingLater();
    const message = parse<Said>(data);
    if (message === null) return;
    // Not reset in `#opened`: a server that accepts and closes at once must not be retried without a delay.
    this.#attempt = 0;
    this.#options.heard(message);
  }

  #pingLater(): void {
    clearTimeout(this.#heartbeat);
    this.#heartbeat = setTimeout(() => {
      this.say({ type: 'ping' });
      this.#expectWithin(answerWithinMs);
    }, pingEveryMs);
  }

  /** Drops the connection if nothing arrives within a delay, even if the browser still considers it open. */
  #expectWithin(delayMs: number): void {
    clearTimeout(this.#heartbeat);
    this.#heartbeat = setTimeout(() => {
      const socket = this.#socket;
      if (!socket) return;
      socket.close();
      this.#dropped(socket);
    }, delayMs);
  }
}

function parse<Said>(data: unknown): Said | null {
  if (typeof data !== 'string') return null;
  try {
    return JSON.parse(data) as Said;
  } catch {
    return null;
  }
}

/** Calls `hurry` when the network is back or the page becomes visible; returns a function that stops this. */
export function whenBack(hurry: () => void): () => void {
  const seen = (): void => {
    if (document.visibilityState === 'visible') hurry();
  };
  addEventListener('online', seen);
  document.addEventListener('visibilitychange', seen);
  return () => {
    removeEventListener('online', seen);
    document.removeEventListener('visibilitychange', seen);
  };
}
