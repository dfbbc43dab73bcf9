import { untrack } from 'svelte';
import { refusalOf, type Refusal } from '../refusal';
import { retryUntilAnswered } from '../retry-until-answered';

/**
 * A value that is requested from the server until it responds. Must be created while a component is
 * initialised.
 */
export class RetriedRequest<K, T> {
  refusal: Refusal | null = $state.raw(null);
  readonly #key: () => K;
  /** Number of retries requested by the visitor. */
  #attempts = $state(0);
  #response: { readonly key: K; readonly value: T } | null = $state.raw(null);

  /**
   * `key` is reactive: when it changes, `send` is called again and the earlier request is dropped.
   */
  constructor(key: () => K, send: (key: K) => Promise<T>) {
    this.#key = key;
    $effect(() => {
      void this.#attempts;
      const current = key();
      const controller = new AbortController();
      // State read by `send` must not trigger the request again.
      untrack(() => void this.#load(current, send, controller.signal));
      return () => controller.abort();
    });
  }

  /** The last response for the current key; null if there is none yet. */
  get value(): T | null {
    const response = this.#response;
    return response !== null && response.key === this.#key() ? response.value : null;
  }

  /** Sends the request again at once. */
  retry(): void {
    this.#attempts += 1;
  }

  async #load(key: K, send: (key: K) => Promise<T>, signal: AbortSignal): Promise<void> {
    this.refusal = null;
    try {
      const response = await retryUntilAnswered(async () => ({ key, value: await send(key) }), {
        signal,
        onNetworkFailure: (failure) => (this.refusal = failure),
      });
      if (response === null) return;
      this.#response = response;
      this.refusal = null;
    } catch (error) {
      if (!signal.aborted) this.refusal = refusalOf(error);
    }
  }
}
