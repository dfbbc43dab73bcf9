import { untrack } from 'svelte';
import { refusalOf, type Refusal } from '../refusal';
import { retryUntilAnswered } from '../retry-until-answered';

/**
 * A value requested from the server until it answers. Must be created while a component is
 * initialised.
 */
export class RetriedRequest<K, T> {
  refusal: Refusal | null = $state.raw(null);
  readonly #about: () => K;
  /** Number of retries requested by the visitor. */
  #attempts = $state(0);
  #answer: { readonly about: K; readonly value: T } | null = $state.raw(null);

  /**
   * `about` is reactive: when it changes, `ask` is called again and the earlier request is dropped.
   */
  constructor(about: () => K, ask: (about: K) => Promise<T>) {
    this.#about = about;
    $effect(() => {
      void this.#attempts;
      const subject = about();
      const controller = new AbortController();
      // State read by `ask` must not trigger the request again.
      untrack(() => void this.#load(subject, ask, controller.signal));
      return () => controller.abort();
    });
  }

  /** The response to the current request; null while it is pending. */
  get value(): T | null {
    const answer = this.#answer;
    return answer !== null && answer.about === this.#about() ? answer.value : null;
  }

  /** Sends the request again at once. */
  retry(): void {
    this.#attempts += 1;
  }

  async #load(about: K, ask: (about: K) => Promise<T>, signal: AbortSignal): Promise<void> {
    this.refusal = null;
    try {
      const answer = await retryUntilAnswered(async () => ({ about, value: await ask(about) }), {
        signal,
        onNetworkFailure: (failure) => (this.refusal = failure),
      });
      if (answer === null) return;
      this.#answer = answer;
      this.refusal = null;
    } catch (error) {
      if (!signal.aborted) this.refusal = refusalOf(error);
    }
  }
}
