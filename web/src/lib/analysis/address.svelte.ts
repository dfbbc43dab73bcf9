import { router } from '../routing/router.svelte';
import { parsePath, pathOf } from '../routing/routes';
import type { Analysis } from './analysis.svelte';

/** Browsers refuse to have the address written more often, as a key that is held down would ask. */
const LEAST_BETWEEN_MS = 400;

/** Keeps an analysis: what is seen in the address, all of it in the browser. Nothing is lost when the page goes. */
export class AnalysisAddress {
  readonly #analysis: Analysis;
  #lastWritten = -LEAST_BETWEEN_MS;

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
  }

  /** To be called while a component is made, with which it ends. */
  follow(): void {
    $effect(() => this.#analysis.keep());
    $effect(() => {
      const address = this.#path + this.#analysis.link;
      const wait = Math.max(0, this.#lastWritten + LEAST_BETWEEN_MS - performance.now());
      if (wait === 0) {
        this.#write(address);
        return;
      }
      const waiting = setTimeout(() => this.#write(address), wait);
      return () => clearTimeout(waiting);
    });
  }

  /** It is in the account from now on: a reload finds it there. */
  saved(id: string): void {
    router.rewrite(pathOf('saved-analysis', { saved: id }, router.fragment || undefined));
  }

  /** Where a visitor finds what is seen now. */
  get shared(): string {
    return pathOf('analysis', { variant: this.#analysis.variant }) + this.#analysis.link;
  }

  /** The address of the previous analysis does not belong to another one on the board. */
  get #path(): string {
    const { saved, variant } = this.#analysis;
    const isSaved = parsePath(router.path).page === 'saved-analysis';
    return isSaved && saved === null ? pathOf('analysis', { variant }) : router.path;
  }

  #write(address: string): void {
    if (router.address === address) return;
    this.#lastWritten = performance.now();
    router.rewrite(address);
  }
}
