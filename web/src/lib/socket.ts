import type { ClientMessage, Game, GameEvent, ServerMessage } from './api';

/** The part of `WebSocket` that is used here, so that tests can stand in for it. */
export interface SocketLike {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

export const connections = ['connecting', 'open', 'reconnecting', 'closed'] as const;
export type Connection = (typeof connections)[number];

/** A message that the server answers by accepting or refusing it. */
export type Command = Extract<ClientMessage, { command: string }>;

export interface Handlers {
  snapshot(game: Game): void;
  event(event: GameEvent, version: number): void;
  accepted(command: string): void;
  refused(command: string | null, code: string, args: Record<string, string>): void;
  connection(state: Connection): void;
}

export interface Options {
  /** Opens a socket for a client that has this version of the game. */
  open(version: number | null): SocketLike;
  handlers: Handlers;
  /** The version of the snapshot already there, if any. */
  version: number | null;
  /** A number in [0, 1), for the jitter. */
  random?: () => number;
}

const firstDelayMs = 500;
const longestDelayMs = 15_000;
const pingEveryMs = 20_000;
const answerWithinMs = 10_000;

/** How long to wait before try number `attempt` (from 0): doubled each time, then spread by half. */
export function backoffMs(attempt: number, random: number): number {
  const whole = Math.min(firstDelayMs * 2 ** attempt, longestDelayMs);
  return whole / 2 + (whole / 2) * random;
}

/**
 * The socket of one game. It says which version it has, hands on each event once and in order, asks
 * for a snapshot when one is missing, comes back when the line drops, and sends a command again
 * until the server has answered it: commands bear an id, so a repeat is harmless.
 */
export class GameSocket {
  #options: Options;
  #socket: SocketLike | null = null;
  #version: number | null;
  /** Set while events cannot be applied because some are missing. */
  #resyncing = false;
  #outbox = new Map<string, Command>();
  #attempt = 0;
  #isOpen = false;
  #stopped = false;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #heartbeat: ReturnType<typeof setTimeout> | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#version = options.version;
  }

  get version(): number | null {
    return this.#version;
  }

  connect(): void {
    if (this.#socket || this.#stopped) return;
    clearTimeout(this.#retry);
    this.#options.handlers.connection(this.#attempt === 0 ? 'connecting' : 'reconnecting');
    const socket = this.#options.open(this.#version);
    this.#socket = socket;
    this.#expectWithin(answerWithinMs);
    socket.onopen = () => this.#opened(socket);
    socket.onmessage = (event) => this.#received(socket, event.data);
    socket.onclose = () => this.#dropped(socket);
  }

  /** Tries at once instead of at the end of the delay: the network or the page is back. */
  hurry(): void {
    if (!this.#socket) this.connect();
  }

  send(command: Command): void {
    this.#outbox.set(command.command, command);
    if (this.#socket && this.#isOpen) this.#write(this.#socket, command);
  }

  close(): void {
    this.#stopped = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#heartbeat);
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#options.handlers.connection('closed');
  }

  #opened(socket: SocketLike): void {
    if (socket !== this.#socket) return;
    this.#isOpen = true;
    this.#resyncing = false;
    this.#options.handlers.connection('open');
    for (const command of this.#outbox.values()) this.#write(socket, command);
    this.#pingLater(socket);
  }

  #dropped(socket: SocketLike): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    this.#isOpen = false;
    clearTimeout(this.#heartbeat);
    if (this.#stopped) return;
    const delay = backoffMs(this.#attempt, (this.#options.random ?? Math.random)());
    this.#attempt += 1;
    this.#options.handlers.connection('reconnecting');
    this.#retry = setTimeout(() => this.connect(), delay);
  }

  #received(socket: SocketLike, data: unknown): void {
    if (socket !== this.#socket) return;
    this.#pingLater(socket);
    const message = parse(data);
    if (!message) return;
    // Only now: a server that takes the call and hangs up at once must not be called without pause.
    this.#attempt = 0;
    const { handlers } = this.#options;
    switch (message.type) {
      case 'snapshot':
        this.#version = message.game.version;
        this.#resyncing = false;
        handlers.snapshot(message.game);
        break;
      case 'event':
        this.#event(socket, message.event, message.version);
        break;
      case 'accepted':
        this.#outbox.delete(message.command);
        handlers.accepted(message.command);
        break;
      case 'refused':
        if (message.command !== null) this.#outbox.delete(message.command);
        handlers.refused(message.command, message.code, message.args);
        break;
      case 'pong':
        break;
    }
  }

  #event(socket: SocketLike, event: GameEvent, version: number): void {
    if (this.#resyncing || (this.#version !== null && version <= this.#version)) return;
    if (this.#version === null || version > this.#version + 1) {
      // Never guess what is missing: a snapshot says it.
      this.#resyncing = true;
      this.#write(socket, { type: 'resync' });
      return;
    }
    this.#version = version;
    this.#options.handlers.event(event, version);
  }

  #pingLater(socket: SocketLike): void {
    clearTimeout(this.#heartbeat);
    this.#heartbeat = setTimeout(() => {
      this.#write(socket, { type: 'ping' });
      this.#expectWithin(answerWithinMs);
    }, pingEveryMs);
  }

  /** A line that stays silent is dead, whatever the browser believes. */
  #expectWithin(delayMs: number): void {
    clearTimeout(this.#heartbeat);
    this.#heartbeat = setTimeout(() => {
      const socket = this.#socket;
      if (!socket) return;
      socket.close();
      this.#dropped(socket);
    }, delayMs);
  }

  #write(socket: SocketLike, message: ClientMessage): void {
    socket.send(JSON.stringify(message));
  }
}

function parse(data: unknown): ServerMessage | null {
  if (typeof data !== 'string') return null;
  try {
    return JSON.parse(data) as ServerMessage;
  } catch {
    return null;
  }
}
