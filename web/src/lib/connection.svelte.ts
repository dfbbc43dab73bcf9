import type { Connection } from './reconnecting-socket';

/** Delay in milliseconds before the page shows that the connection is lost. */
const LOSS_DELAY_MS = 2_500;

/** Whether the page can reach the server, as far as the browser and the visitor's socket know. */
class ConnectionState {
  /** Whether the browser is connected to a network. */
  isOnline = $state(navigator.onLine);
  /** The state of the visitor's socket; null until it is opened. */
  #socket: Connection | null = $state(null);
  /** Whether the socket is silent, or has been lost for longer than `LOSS_DELAY_MS`. */
  #isLost = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  set socket(state: Connection) {
    if (state === this.#socket) return;
    this.#socket = state;
    clearTimeout(this.#timer);
    if (state === 'silent') this.#isLost = true;
    else if (state === 'reconnecting')
      this.#timer = setTimeout(() => (this.#isLost = true), LOSS_DELAY_MS);
    else if (state === 'open' || state === 'closed') this.#isLost = false;
  }

  /** Whether the visitor must be told that the server cannot be reached. */
  get isLost(): boolean {
    return !this.isOnline || this.#isLost;
  }

  /** Follows the browser's network status until the returned function is called. */
  follow(): () => void {
    const update = (): void => {
      this.isOnline = navigator.onLine;
    };
    addEventListener('online', update);
    addEventListener('offline', update);
    return () => {
      removeEventListener('online', update);
      removeEventListener('offline', update);
    };
  }
}

export const connectionState = new ConnectionState();
