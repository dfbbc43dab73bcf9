import { visitor } from '../account/me.svelte';
import { connectionState } from '../connection.svelte';
import { house } from '../house.svelte';
import type { Challenge, Hall, HallServerMessage, Seek } from '../api';
import {
  ReconnectingSocket,
  whenOnlineOrVisible,
  whenUsed,
  type Connection,
  type SocketLike,
} from '../reconnecting-socket';
import { applyMessage, emptyHall, isBehind, ownPart } from './apply';
import { hallSocketUrl } from './calls';

/** Delay in milliseconds before the lists are requested again after a refusal. */
const RETRY_MS = 3_000;
/** The maximum number of news items stored for a listener that is still being loaded. */
const MAX_PENDING_NEWS = 8;

export type GameMessage = Extract<HallServerMessage, { type: 'game' }>;

/** The page's reactions to news for the visitor. */
export interface HallListener {
  game(message: GameMessage): void;
  /**
   * Called for each challenge received; `isNew` is false if it came with the hall, as after
   * connecting.
   */
  challenged(challenge: Challenge, isNew: boolean): void;
}

/**
 * The visitor's socket, open on every page. It keeps the visitor's live seeks open, and receives
 * challenges and news about games. The hall's lists arrive only while a page shows them.
 */
export class HallState {
  hall: Hall = $state.raw(emptyHall);
  connection: Connection = $state('connecting');
  /** Whether the server has sent the complete lists. */
  isKnown = $state(false);
  /** Whether the server has sent the visitor's own part of the hall. */
  isOwnKnown = $state(false);
  #socket: ReconnectingSocket<HallServerMessage> | null = null;
  #stop: (() => void) | undefined;
  /** The number of components that show the lists. */
  #viewers = 0;
  #listener: HallListener | null = null;
  /** News that arrived before there was a listener. */
  #pendingNews: GameMessage[] = [];
  #retry: ReturnType<typeof setTimeout> | undefined;
  /** Whether another of the page's sockets is watched in place of this one. */
  #isReplaced = false;

  /** The visitor's open seeks. */
  get ownSeeks(): Seek[] {
    return this.hall.seeks.filter(({ id }) => this.isMine(id));
  }

  isMine(id: string): boolean {
    return this.hall.mine.includes(id);
  }

  /** Opens the socket, unless it is already open. */
  connect(): void {
    if (this.#socket) return;
    let lists = false;
    const socket = new ReconnectingSocket<HallServerMessage>({
      open: () => {
        lists = this.#viewers > 0;
        return new WebSocket(hallSocketUrl({ lists })) as SocketLike;
      },
      onopen: () => {
        // The lists may have been shown or hidden while the socket was connecting.
        if (lists !== this.#viewers > 0) socket.send({ type: lists ? 'hide-lists' : 'show-lists' });
      },
      onmessage: (message) => this.#received(message),
      onconnection: (state) => {
        this.connection = state;
        connectionState.socket = state;
      },
    });
    this.#socket = socket;
    socket.watch(!this.#isReplaced);
    socket.connect();
    const stops = [
      whenOnlineOrVisible(() => socket.reconnectNow()),
      whenUsed(() => socket.probe()),
    ];
    this.#stop = () => stops.forEach((stop) => stop());
  }

  /** Reconnects, because the visitor has signed in or out. */
  reconnect(): void {
    if (!this.#socket) return;
    this.close();
    this.connect();
  }

  /**
   * Sets whether another of the page's sockets is watched. If so, this one is not: one watched
   * socket is enough to notice a lost connection.
   */
  replaceWatch(isReplaced: boolean): void {
    this.#isReplaced = isReplaced;
    this.#socket?.watch(!isReplaced);
  }

  close(): void {
    this.#stop?.();
    clearTimeout(this.#retry);
    this.#socket?.close();
    this.#socket = null;
    this.#set(emptyHall, { known: false, ownKnown: false });
  }

  /** Sets the listener for news; returns a function that removes it. */
  listen(listener: HallListener): () => void {
    this.#listener = listener;
    for (const message of this.#pendingNews.splice(0)) listener.game(message);
    return () => {
      if (this.#listener === listener) this.#listener = null;
    };
  }

  /** Receives the lists until the returned function is called. */
  showLists(): () => void {
    this.#viewers += 1;
    const isOpen = this.#socket?.isOpen === true;
    this.connect();
    if (this.#viewers === 1 && isOpen) this.#socket?.send({ type: 'show-lists' });
    return () => {
      this.#viewers -= 1;
      if (this.#viewers > 0) return;
      this.#socket?.send({ type: 'hide-lists' });
      this.#set(ownPart(this.hall), { known: false, ownKnown: this.isOwnKnown });
    };
  }

  #set(hall: Hall, { known, ownKnown }: { known: boolean; ownKnown: boolean }): void {
    this.hall = hall;
    this.isKnown = known;
    this.isOwnKnown = ownKnown;
  }

  #received(message: HallServerMessage): void {
    if (isBehind(this.hall, message)) this.#socket?.send({ type: 'resync' });
    // The lists were requested more often than the server allows.
    if (message.type === 'refused' && this.#viewers > 0 && !this.isKnown) this.#showAgainLater();
    const before = this.hall.challenges.received;
    // The lists may have been in transit when they were hidden.
    const isHidden = this.#viewers === 0;
    const after = applyMessage(this.hall, message, visitor.account?.name ?? null);
    const isWhole = message.type === 'hall' || message.type === 'own';
    this.#set(isHidden ? ownPart(after) : after, {
      known: this.isKnown || (message.type === 'hall' && !isHidden),
      ownKnown: this.isOwnKnown || isWhole,
    });
    if (message.type === 'house') house.settings = message.settings;
    if (message.type === 'game') {
      if (this.#listener) this.#listener.game(message);
      else this.#pendingNews = [...this.#pendingNews, message].slice(-MAX_PENDING_NEWS);
    }
    for (const challenge of this.hall.challenges.received)
      if (!before.some(({ id }) => id === challenge.id))
        this.#listener?.challenged(challenge, message.type === 'challenge');
  }

  #showAgainLater(): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      if (this.#viewers > 0 && !this.isKnown) this.#socket?.send({ type: 'show-lists' });
    }, RETRY_MS);
  }
}

export const hallState = new HallState();
