import type { ChatLine, ClientMessage, Game, GameEvent, MatchState, ServerMessage } from './api';
import { ReconnectingSocket, type Connection, type SocketLike } from './reconnecting-socket';

export { backoffMs, type Connection, type SocketLike } from './reconnecting-socket';

/** Delay after a refused snapshot request, unless the server specifies one. */
const RESYNC_SECONDS = 5;

/** A message that the server acknowledges or refuses. */
export type Command = Extract<ClientMessage, { command: string }>;

/** Presence as reported by the server. */
export type Presence = Omit<Extract<ServerMessage, { type: 'presence' }>, 'type' | 'version'>;

export interface Handlers {
  snapshot(game: Game): void;
  event(event: GameEvent, version: number, at: number): void;
  accepted(command: string): void;
  refused(command: string | null, code: string, args: Record<string, string>): void;
  connection(state: Connection): void;
  presence?: (presence: Presence) => void;
  /** Called with chat messages; `isComplete` if they are the whole chat. */
  said?: (lines: ChatLine[], isComplete: boolean) => void;
  match?: (state: MatchState) => void;
  /** Called with the server's time whenever a message contains it. */
  time?: (at: number) => void;
}

export interface Options {
  /** Opens a socket for a client that has this version of the game. */
  open(version: number | null): SocketLike;
  handlers: Handlers;
  /** Version of the snapshot that the client already has; null for none. */
  version: number | null;
  /** A number in [0, 1), for the jitter. */
  random?: () => number;
}

/**
 * The game socket. It sends the version it has, delivers each event once and in order, requests a
 * snapshot if an event is missing, and reconnects when the connection is lost. A command is resent
 * until the server has accepted or refused it; its id makes a repeat harmless.
 */
export class GameSocket {
  #handlers: Handlers;
  #socket: ReconnectingSocket<ServerMessage>;
  #version: number | null;
  /** Set while a snapshot is awaited. Events that arrive in the meantime are ignored. */
  #resyncing = false;
  /** The last presence version received on this connection. */
  #presence = 0;
  /** Timer that repeats a refused snapshot request. */
  #retry: ReturnType<typeof setTimeout> | undefined;
  #outbox = new Map<string, Command>();

  constructor({ open, handlers, version, random }: Options) {
    this.#handlers = handlers;
    this.#version = version;
    this.#socket = new ReconnectingSocket<ServerMessage>({
      open: () => open(this.#version),
      onopen: () => this.#opened(),
      onmessage: (message) => this.#received(message),
      onconnection: (state) => handlers.connection(state),
      ...(random ? { random } : {}),
    });
  }

  get version(): number | null {
    return this.#version;
  }

  connect(): void {
    this.#socket.connect();
  }

  /**
   * Reconnects at once, without waiting for the delay, because the network is back or the page is
   * visible again. Checks a connection that seems to be open.
   */
  reconnectNow(): void {
    this.#socket.reconnectNow();
  }

  /** Requests a snapshot. No events are delivered until it arrives. */
  resync(): void {
    this.#resyncing = true;
    this.#socket.send({ type: 'resync' });
  }

  send(command: Command): void {
    this.#outbox.set(command.command, command);
    this.#socket.send(command, true);
  }

  /** Checks the connection, because the visitor is about to use it. */
  probe(): void {
    this.#socket.probe();
  }

  /** Sets whether a loss must be noticed within three seconds. */
  watch(isWatched: boolean): void {
    this.#socket.watch(isWatched);
  }

  close(): void {
    this.#synced();
    this.#socket.close();
  }

  #synced(): void {
    this.#resyncing = false;
    clearTimeout(this.#retry);
  }

  /**
   * Repeats the snapshot request as soon as the server allows it. No events are delivered in the
   * meantime.
   */
  #resyncLater(seconds: number): void {
    clearTimeout(this.#retry);
    const delay = Number.isFinite(seconds) ? Math.max(seconds, 1) : RESYNC_SECONDS;
    this.#retry = setTimeout(() => this.resync(), delay * 1000);
  }

  #opened(): void {
    this.#synced();
    this.#presence = 0;
    for (const command of this.#outbox.values()) this.#socket.send(command, true);
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
        this.#presence = message.version;
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
        if (this.#isBehind(message.version, message.presence)) this.resync();
        break;
    }
  }

  /** Returns true if the server has sent something that did not arrive. */
  #isBehind(version: number, presence: number): boolean {
    if (this.#resyncing) return false;
    return (this.#version !== null && version > this.#version) || presence > this.#presence;
  }

  #event(event: GameEvent, version: number, at: number): void {
    if (this.#resyncing || (this.#version !== null && version <= this.#version)) return;
    if (this.#version === null || version > this.#version + 1) {
      // An event cannot be applied without those before it; the snapshot includes them all.
      this.resync();
      return;
    }
    this.#version = version;
    this.#handlers.event(event, version, at);
  }
}
