import { visitor } from '../account/me.svelte';
import type { Hall, HallServerMessage } from '../api';
import {
  ReconnectingSocket,
  whenOnlineOrVisible,
  type Connection,
  type SocketLike,
} from '../reconnecting-socket';
import { emptyHall, applyMessage, isBehind } from './apply';
import { hallSocketUrl } from './calls';

/** State of the hall, updated while it is shown. */
export class HallState {
  hall: Hall = $state.raw(emptyHall);
  connection: Connection = $state('connecting');
  /** Whether the server has sent the complete hall. */
  isKnown = $state(false);
  #socket: ReconnectingSocket<HallServerMessage>;

  /** `started` is called when one of the visitor's seeks or challenges has become a game. */
  constructor(started: (id: string) => void, challenged: () => void) {
    this.#socket = new ReconnectingSocket<HallServerMessage>({
      open: () => new WebSocket(hallSocketUrl()) as SocketLike,
      onmessage: (message) => {
        if (message.type === 'game-started') started(message.id);
        if (isBehind(this.hall, message)) this.#socket.send({ type: 'resync' });
        const before = this.hall.challenges.received.length;
        this.hall = applyMessage(this.hall, message, visitor.account?.name ?? null);
        this.isKnown ||= message.type === 'hall';
        if (message.type === 'challenge' && this.hall.challenges.received.length > before)
          challenged();
      },
      onconnection: (state) => (this.connection = state),
    });
  }

  /** Connects to the hall; returns a function that disconnects. */
  enter(): () => void {
    this.#socket.connect();
    const stop = whenOnlineOrVisible(() => this.#socket.reconnectNow());
    return () => {
      stop();
      this.#socket.close();
    };
  }

  isMine(id: string): boolean {
    return this.hall.mine.includes(id);
  }
}
