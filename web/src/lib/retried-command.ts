import { uuid } from './uuid';

/**
 * The command ids of a component's requests. A request that is repeated after a lost response has
 * the same id, so that the server carries it out only once.
 */
export class RetriedCommand {
  #id = '';
  #request = '';

  /** Returns the id for a request: a new one, unless the last request was the same and failed. */
  idFor(request: unknown): string {
    const text = JSON.stringify(request);
    if (text !== this.#request) [this.#id, this.#request] = [uuid(), text];
    return this.#id;
  }

  /** Records that the last request succeeded, so that the same one would be a new request. */
  succeeded(): void {
    this.#request = '';
  }
}
