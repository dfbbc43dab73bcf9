import { untrack } from 'svelte';
import { refusalOf, type Refusal } from '../refusal';
import { untilAnswered } from '../until-answered';

/** A value that a page asks the server for until there is an answer. To be made while the page's component is. */
export class Asked<K, T> {
  refusal: Refusal | null = $state.raw(null);
  readonly #about: () => K;
  #answer: { readonly about: K; readonly value: T } | null = $state.raw(null);

  /** `about` is followed: when it changes, `ask` is called again, and what was asked before counts no more. */
  constructor(about: () => K, ask: (about: K) => Promise<T>) {
    this.#about = about;
    $effect(() => {
      const wanted = about();
      const asking = new AbortController();
      // State that is read here must not repeat the request.
      untrack(() => void this.#load(wanted, ask, asking.signal));
      return () => asking.abort();
    });
  }

  /** The answer; null as long as there is none to what is asked now. */
  get value(): T | null {
    const answer = this.#answer;
    return answer !== null && answer.about === this.#about() ? answer.value : null;
  }

  async #load(about: K, ask: (about: K) => Promise<T>, signal: AbortSignal): Promise<void> {
    this.refusal = null;
    try {
      const answer = await untilAnswered(async () => ({ about, value: await ask(about) }), {
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
