import { refusalOf, type Refusal } from './refusal';

/**
 * Loads what a page or a section shows. Responses may arrive in any order; only the latest request
 * counts. Its success clears the refusal of an earlier one.
 */
export class LatestLoad {
  refusal = $state.raw<Refusal | null>(null);
  /** Distinguishes the latest request from earlier ones. */
  #number = 0;

  /** Returns the response; null if the request was refused or a later one has replaced it. */
  async run<T>(request: () => Promise<T>): Promise<T | null> {
    this.#number += 1;
    const number = this.#number;
    try {
      const loaded = await request();
      if (number !== this.#number) return null;
      this.refusal = null;
      return loaded;
    } catch (error) {
      if (number === this.#number) this.refusal = refusalOf(error);
      return null;
    }
  }
}
