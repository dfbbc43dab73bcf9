import { refusalOf, type Refusal } from './refusal';
import { backoffMs } from './socket';

export interface RetryOptions {
  /** Called after each network failure, before the next attempt. */
  onNetworkFailure(refusal: Refusal): void;
  /** Stops the retries, for example when the visitor leaves the page. */
  signal: AbortSignal;
  /** A number in [0, 1), for the jitter. */
  random?: () => number;
  /** Emits `online` when the network is back. */
  network?: EventTarget;
}

/** Waits for a delay, or less if the network comes back or the signal aborts. */
function waitForRetry(delayMs: number, network: EventTarget, signal: AbortSignal): Promise<void> {
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
 * Repeats a request until the server responds, even with a refusal: a restarting server is soon
 * back, and the visitor should not have to click. Resolves to null if the signal aborts, but a
 * refusal is thrown even then.
 */
export async function retryUntilAnswered<T>(
  send: () => Promise<T>,
  options: RetryOptions,
): Promise<T | null> {
  const { random = Math.random, network = window } = options;
  for (let attempt = 0; !options.signal.aborted; attempt += 1) {
    try {
      const response = await send();
      return options.signal.aborted ? null : response;
    } catch (error) {
      if (refusalOf(error).code !== 'network') throw error;
      if (options.signal.aborted) return null;
      options.onNetworkFailure(refusalOf(error));
      await waitForRetry(backoffMs(attempt, random()), network, options.signal);
    }
  }
  return null;
}
