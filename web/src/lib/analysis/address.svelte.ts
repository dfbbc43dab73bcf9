import { router } from '../routing/router.svelte';
import { parsePath, pathOf } from '../routing/routes';
import type { Analysis } from './analysis.svelte';

/**
 * Minimum delay between changes to the address. Browsers throttle more frequent ones, for example
 * while a key is held down.
 */
const MIN_INTERVAL_MS = 400;

/**
 * Keeps an analysis across reloads: the current line in the address, which may lag a moment behind,
 * and the whole tree in the browser's storage.
 */
export class AnalysisAddress {
  readonly #analysis: Analysis;
  #lastWritten = -MIN_INTERVAL_MS;

  constructor(analysis: Analysis) {
    this.#analysis = analysis;
  }

  /**
   * Starts writing changes. Must be called while a component is being initialised; stops when the
   * component is destroyed.
   */
  follow(): void {
    $effect(() => this.#analysis.store());
    $effect(() => {
      const address = this.#path + this.#analysis.link;
      const wait = Math.max(0, this.#lastWritten + MIN_INTERVAL_MS - performance.now());
      if (wait === 0) {
        this.#write(address);
        return;
      }
      const write = (): void => this.#write(address);
      const timer = setTimeout(write, wait);
      // A click in the address bar, to copy the address, causes `blur`; a reload causes `pagehide`.
      addEventListener('blur', write);
      addEventListener('pagehide', write);
      return () => {
        clearTimeout(timer);
        removeEventListener('blur', write);
        removeEventListener('pagehide', write);
      };
    });
  }

  /**
   * Puts the address of the saved analysis into the address bar. Called after the analysis has been
   * saved in the account.
   */
  saved(id: string): void {
    router.rewrite(pathOf('saved-analysis', { saved: id }, router.fragment || undefined));
  }

  /** URL that shows the current position to another visitor. */
  get shared(): string {
    return pathOf('analysis', { variant: this.#analysis.variant }) + this.#analysis.link;
  }

  /**
   * Path of the current analysis. Differs from the page's path once another analysis is opened on
   * the page for a saved analysis or for a game.
   */
  get #path(): string {
    const { saved, of, variant } = this.#analysis;
    const route = parsePath(router.path);
    const isOther =
      (route.page === 'saved-analysis' && saved === null) ||
      (route.page === 'analysis-of-game' && of !== route.id);
    return isOther ? pathOf('analysis', { variant }) : router.path;
  }

  #write(address: string): void {
    if (router.address === address) return;
    this.#lastWritten = performance.now();
    router.rewrite(address);
  }
}
