/** The part of `WebSocket` used here. Tests replace it. */
export interface SocketLike {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** `silent`: open as far as the browser knows, but an answer is overdue. */
export const connections = ['connecting', 'open', 'silent', 'reconnecting', 'closed'] as const;
export type Connection = (typeof connections)[number];

export interface ReconnectingSocketOptions<Message> {
  open(): SocketLike;
  /** Called when the connection opens, to send the first messages. */
  onopen?: () => void;
  onmessage(message: Message): void;
  onconnection(state: Connection): void;
  /** A number in [0, 1), for the jitter. */
  random?: () => number;
}

const firstDelayMs = 500;
const maxDelayMs = 15_000;
/**
 * The maximum delay of the first retries, which span about half a minute. Most restarting servers
 * are back within that time, and once they are, the clock of the player to move runs even if the
 * page is not yet connected.
 */
const maxEarlyDelayMs = 2_000;
const earlyRetries = 20;
const pingEveryMs = 20_000;
const responseTimeoutMs = 10_000;
/** Time in milliseconds after which an answer is overdue. */
const overdueMs = 2_500;
/**
 * The silence after which a watched connection is pinged, and the time after which the answer to
 * the ping is overdue. Their sum is the longest time for which a loss can go unnoticed unless a
 * command is awaiting its answer, and must stay below three seconds.
 */
const watchedPingEveryMs = 1_500;
const watchedOverdueMs = 1_400;
/** The close code sent by a server that stops gracefully. */
const restartCode = 1012;

/**
 * Returns the delay before retry number `attempt` (from 0): exponential up to a limit, minus a
 * jitter of up to half.
 */
export function backoffMs(attempt: number, random: number): number {
  const limitMs = attempt < earlyRetries ? maxEarlyDelayMs : maxDelayMs;
  const fullMs = Math.min(firstDelayMs * 2 ** attempt, limitMs);
  return fullMs / 2 + (fullMs / 2) * random;
}

/**
 * A socket that reconnects when the connection is lost. It sends `ping` after receiving nothing for
 * a while, to detect a dead connection; the wait is much shorter while it is watched and the page
 * is visible. It does not interpret other messages.
 */
export class ReconnectingSocket<Message> {
  #options: ReconnectingSocketOptions<Message>;
  #socket: SocketLike | null = null;
  #attempt = 0;
  #isOpen = false;
  #stopped = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setTimeout> | undefined;
  /** Runs while an answer is expected; undefined otherwise. */
  #overdue: ReturnType<typeof setTimeout> | undefined;
  #isSilent = false;
  #isWatched = false;
  #heardAt = 0;
  readonly #onoffline = (): void => this.#lost();

  constructor(options: ReconnectingSocketOptions<Message>) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /**
   * Sets whether a loss must be noticed within three seconds. If so, the server is pinged after
   * every 1.5 seconds of silence. There is one exception: if the connection is lost shortly before
   * a command, the loss may not be noticed until 2.5 seconds after the command.
   */
  watch(isWatched: boolean): void {
    if (isWatched === this.#isWatched) return;
    this.#isWatched = isWatched;
    // While an answer is expected, a shorter timeout is already running.
    if (this.#isOpen && this.#overdue === undefined) this.#pingLater();
  }

  connect(): void {
    if (this.#socket || this.#stopped) return;
    clearTimeout(this.#retry);
    // Adding the same listener again has no effect. Tests may run without a window.
    globalThis.addEventListener?.('offline', this.#onoffline);
    this.#options.onconnection(this.#attempt === 0 ? 'connecting' : 'reconnecting');
    const socket = this.#options.open();
    this.#socket = socket;
    this.#expectWithin(responseTimeoutMs);
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = (event) => this.#received(socket, event.data);
    socket.onclose = ({ code }) => this.#dropped(socket, code);
  }

  /**
   * Reconnects at once, without waiting for the delay, because the network is back or the page is
   * visible again. Checks a connection that seems to be open, because it may have died in the
   * meantime.
   */
  reconnectNow(): void {
    if (!this.#socket) {
      this.connect();
      return;
    }
    this.probe();
    // While the page was hidden, the next ping was scheduled at the slower rate.
    if (this.#isOpen && this.#overdue === undefined) this.#pingLater();
  }

  /**
   * Sends a message if the connection is open; returns true if it was. If the server answers every
   * message of this kind (`isAnswered`), the connection counts as silent when nothing arrives for a
   * while.
   */
  send(message: object, isAnswered = false): boolean {
    if (!this.#socket || !this.#isOpen) return false;
    this.#socket.send(JSON.stringify(message));
    if (isAnswered) this.#answerIsDueIn(overdueMs);
    return true;
  }

  /**
   * Checks the connection, because the visitor is about to use it. Does nothing if a message
   * arrived a moment ago, or if an answer is already expected.
   */
  probe(): void {
    if (this.#overdue !== undefined || Date.now() - this.#heardAt < overdueMs) return;
    this.send({ type: 'ping' }, true);
  }

  close(): void {
    this.#stopped = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#heartbeat);
    this.#expectNothing();
    globalThis.removeEventListener?.('offline', this.#onoffline);
    const socket = this.#socket;
    this.#socket = null;
    this.#isOpen = false;
    socket?.close();
    this.#options.onconnection('closed');
  }

  #opened(socket: SocketLike): void {
    if (socket !== this.#socket) return;
    this.#isOpen = true;
    this.#heard();
    this.#options.onconnection('open');
    this.#options.onopen?.();
  }

  #dropped(socket: SocketLike, code?: number): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#isOpen = false;
    clearTimeout(this.#heartbeat);
    this.#expectNothing();
    if (this.#stopped) return;
    // If there are several servers, another one can answer while this one restarts. Connect to it
    // at once, but only once: until that connection delivers a message, later retries are delayed.
    const isHandedOver = code === restartCode && this.#attempt === 0;
    const delay = isHandedOver
      ? 0
      : backoffMs(this.#attempt, (this.#options.random ?? Math.random)());
    this.#attempt += 1;
    this.#options.onconnection('reconnecting');
    this.#retry = setTimeout(() => this.connect(), delay);
  }

  #received(socket: SocketLike, data: unknown): void {
    if (socket !== this.#socket) return;
    this.#heard();
    const message = parse<Message>(data);
    if (message === null) return;
    // Not reset in `#opened`: a server that accepts connections only to close them at once must not
    // be retried without a delay.
    this.#attempt = 0;
    this.#options.onmessage(message);
  }

  #pingLater(): void {
    clearTimeout(this.#heartbeat);
    const isWatched = this.#isWatched && isPageVisible();
    this.#heartbeat = setTimeout(
      () => {
        this.send({ type: 'ping' });
        this.#answerIsDueIn(isWatched ? watchedOverdueMs : overdueMs);
        this.#expectWithin(responseTimeoutMs);
      },
      isWatched ? watchedPingEveryMs : pingEveryMs,
    );
  }

  /**
   * Expects an answer, unless an earlier one is still expected. The server answers in order, so a
   * ping after a command must not shorten the time that the command may take.
   */
  #answerIsDueIn(delayMs: number): void {
    this.#overdue ??= setTimeout(() => this.#fallSilent(delayMs), delayMs);
  }

  /**
   * Drops the connection if nothing arrives within a delay, even if the browser still considers it
   * open.
   */
  #expectWithin(delayMs: number): void {
    clearTimeout(this.#heartbeat);
    this.#heartbeat = setTimeout(() => this.#lost(), delayMs);
  }

  /** Drops the connection, although the browser may still consider it open. */
  #lost(): void {
    const socket = this.#socket;
    if (!socket) return;
    socket.close();
    this.#dropped(socket);
  }

  #heard(): void {
    this.#heardAt = Date.now();
    const wasSilent = this.#isSilent;
    this.#expectNothing();
    if (wasSilent) this.#options.onconnection('open');
    this.#pingLater();
  }

  #expectNothing(): void {
    clearTimeout(this.#overdue);
    this.#overdue = undefined;
    this.#isSilent = false;
  }

  #fallSilent(afterMs: number): void {
    this.#isSilent = true;
    this.#options.onconnection('silent');
    // The next ping may be far off, so the connection is dropped if nothing arrives within the
    // response timeout.
    this.#expectWithin(responseTimeoutMs - afterMs);
  }
}

/** Tests may run without a document. */
function isPageVisible(): boolean {
  return globalThis.document?.visibilityState !== 'hidden';
}

function parse<Message>(data: unknown): Message | null {
  if (typeof data !== 'string') return null;
  try {
    return JSON.parse(data) as Message;
  } catch {
    return null;
  }
}

/**
 * Calls `callback` whenever the visitor clicks or touches the page or presses a key, until the
 * returned function is called.
 */
export function whenUsed(callback: () => void): () => void {
  addEventListener('pointerdown', callback);
  addEventListener('keydown', callback);
  return () => {
    removeEventListener('pointerdown', callback);
    removeEventListener('keydown', callback);
  };
}

/**
 * Calls `callback` whenever the page becomes visible, or the network comes back while the page is
 * visible, until the returned function is called.
 */
export function whenOnlineOrVisible(callback: () => void): () => void {
  const callIfVisible = (): void => {
    if (document.visibilityState === 'visible') callback();
  };
  addEventListener('online', callIfVisible);
  document.addEventListener('visibilitychange', callIfVisible);
  return () => {
    removeEventListener('online', callIfVisible);
    document.removeEventListener('visibilitychange', callIfVisible);
  };
}
