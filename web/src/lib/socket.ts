import type { ChatLine, ClientMessage, Game, GameEvent, MatchState, ServerMessage } from './api';
import { Line, type Connection, type SocketLike } from './line';

export { backoffMs, type Connection, type SocketLike } from './line';

/** The time to wait after a refused snapshot if the server names none. */
const RESYNC_SECONDS = 5;

/** A message that the server answers by accepting or refusing it. */
export type Command = Extract<ClientMessage, { command: string }>;

/** Presence, as the server sees it. */
export type Presence = Omit<Extract<ServerMessage, { type: 'presence' }>, 'type'>;

export interface Handlers {
  snapshot(game: Game): void;
  event(event: GameEvent, version: number, at: number): void;
  accepted(command: string): void;
  refused(command: string | null, code: string, args: Record<string, string>): void;
  connection(state: Connection): void;
  presence?: (presence: Presence) => void;
  /** Lines of the chat; `isAll` if they are all so far. */
  said?: (lines: ChatLine[], isAll: boolean) => void;
  match?: (state: MatchState) => void;
  /** The server's time, each time that it is told. */
  time?: (at: number) => void;
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

/**
 * The socket of one game. It says which version it has, hands on each event once and in order, asks
 * for a snapshot when one is missing, comes back when the line drops, and sends a command again
 * until the server has answered it: commands bear an id, so a repeat is harmless.
 */
export class GameSocket {
  #handlers: Handlers;
  #line: Line<ServerMessage>;
  #version: number | null;
  /** Set while events cannot be applied because some are missing. */
  #resyncing = false;
  /** Asks again for a snapshot that was refused. */
  #retry: ReturnType<typeof setTimeout> | undefined;
  #outbox = new Map<string, Command>();

  constructor({ open, handlers, version, random }: Options) {
    this.#handlers = handlers;
    this.#version = version;
    this.#line = new Line<ServerMessage>({
      open: () => open(this.#version),
      opened: () => this.#opened(),
      heard: (message) => this.#received(message),
      connection: (state) => handlers.connection(state),
      ...(random ? { random } : {}),
    });
  }

  get version(): number | null {
    return this.#version;
  }

  connect(): void {
    this.#line.connect();
  }

  /** Tries at once instead of at the end of the delay: the network or the page is back. */
  hurry(): void {
    this.#line.hurry();
  }

  /** Asks for a snapshot; events until it comes are not handed on. */
  resync(): void {
    this.#resyncing = true;
    this.#line.say({ type: 'resync' });
  }

  send(command: Command): void {
    this.#outbox.set(command.command, command);
    this.#line.say(command);
  }

  close(): void {
    this.#synced();
    this.#line.close();
  }

  #synced(): void {
    this.#resyncing = false;
    clearTimeout(this.#retry);
  }

  /** Asks for the snapshot again as soon as the server allows it: no events are handed on until then. */
  #resyncLater(seconds: number): void {
    clearTimeout(this.#retry);
    const delay = Number.isFinite(seconds) ? Math.max(seconds, 1) : RESYNC_SECONDS;
    this.#retry = setTimeout(() => this.resync(), delay * 1000);
  }

  #opened(): void {
    this.#synced();
    for (const command of this.#outbox.values()) this.#line.say(command);
  }

  #received(message: ServerMessage): void {
    const handlers = this.#handlers;
    switch (message.type) {
      case 'snapshot':
        this.#version = message.game.version;
        this.#synced();
        handlers.time?.(message.game.at);
        handlers.snapshot(message.game);
        break;
      case 'event':
        handlers.time?.(message.at);
        this.#event(message.event, message.version, message.at);
        break;
      case 'accepted':
        this.#outbox.delete(message.command);
        handlers.accepted(message.command);
        break;
      case 'refused':
        if (message.command === null && this.#resyncing) {
          this.#resyncLater(Number(message.args.seconds));
          break;
        }
        if (message.command !== null) this.#outbox.delete(message.command);
        handlers.refused(message.command, message.code, message.args);
        break;
      case 'presence':
        handlers.presence?.(message);
        break;
      case 'chat-history':
        handlers.said?.(message.lines, true);
        break;
      case 'chat':
        handlers.said?.([message.line], false);
        break;
      case 'match':
        handlers.match?.(message.match);
        break;
      case 'pong':
        handlers.time?.(message.at);
        break;
    }
  }

  #event(event: GameEvent, version: number, at: number): void {
    if (this.#resyncing || (this.#version !== null && version <= this.#version)) return;
    if (this.#version === null || version > this.#version + 1) {
      // Never guess what is missing: a snapshot says it.
      this.resync();
      return;
    }
    this.#version = version;
    this.#handlers.event(event, version, at);
  }
}
