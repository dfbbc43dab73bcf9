import { refusalOf, type Refusal } from './refusal';
import { backoffMs } from './socket';

export interface Waiting {
  /** Called after each failure of the network, before the next try. */
  onNetworkFailure(refusal: Refusal): void;
  /** Ends the tries, when the page is left for instance. */
  signal: AbortSignal;
  /** A number in [0, 1), for the jitter. */
  random?: () => number;
  /** Says `online` when the network is back. */
  network?: EventTarget;
}

/** Waits for a delay, but not beyond the moment when the network is back or the signal aborts. */
function pause(delayMs: number, network: EventTarget, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      network.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    network.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}

/**
 * Asks again until the server has answered, whatever the answer: a server that restarts is back in a
 * moment, and the visitor should not have to press a button. Resolves to null if the signal aborts.
 */
export async function untilAnswered<T>(ask: () => Promise<T>, waiting: Waiting): Promise<T | null> {
  const { random = Math.random, network = window } = waiting;
  for (let attempt = 0; !waiting.signal.aborted; attempt += 1) {
    try {
      const answer = await ask();
      return waiting.signal.aborted ? null : answer;
    } catch (error) {
      if (refusalOf(error).code !== 'network') throw error;
      if (waiting.signal.aborted) return null;
      waiting.onNetworkFailure(refusalOf(error));
      await pause(backoffMs(attempt, random()), network, waiting.signal);
    }
  }
  return null;
}
