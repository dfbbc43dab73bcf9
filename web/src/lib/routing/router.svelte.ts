import { afterPaint } from '../after-paint';
import type { Language } from '../i18n/languages';
import { addressLanguage, splitLanguage, withLanguage } from './address-language.svelte';
import { withBase, withoutBase } from './base-path';
import { parsePath, type PageName, type Route } from './routes';

/**
 * Returns the URL of the link on which an event occurred, if the URL has no fragment and the link
 * opens one of our pages in this document; otherwise null.
 */
function ownLink({ target }: Event): URL | null {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link || link.target || link.hasAttribute('download')) return null;
  const url = new URL(link.href, location.href);
  const isOwn = url.origin === location.origin && url.hash === '';
  return isOwn && parsePath(url.pathname).page !== 'not-found' ? url : null;
}

/** Returns the path within the house from the address bar, and the language that it names. */
const current = (): ReturnType<typeof splitLanguage> =>
  splitLanguage(withoutBase(location.pathname) ?? '/');

/**
 * Knows the current page and keeps it in step with the address bar. No other module changes the
 * address.
 */
class Router {
  /** The current page. Links on the page change it without a reload. */
  route = $state.raw<Route>(parsePath(location.pathname));
  /** The page that a pressed link leads to, until it is shown. */
  #next = $state.raw<Route | null>(null);
  /**
   * The page that is shown, or about to be. Building a page takes several frames on a slow
   * processor, so the pressed link is highlighted first.
   */
  readonly destination = $derived(this.#next ?? this.route);
  /** Number of page changes; 0 for the first page, whose title must not take the focus. */
  changes = $state(0);
  /**
   * Starts loading the code of a page that is likely to be shown next. Set by the module that shows
   * pages.
   */
  prepare: (page: PageName) => void = () => {};
  /** The questions to ask before the page is left, each about something that would be lost. */
  readonly #questions = new Set<() => string>();
  /** The address of the page that is shown. */
  #shownAddress = location.pathname + location.search + location.hash;

  constructor() {
    addressLanguage.current = current().language;
  }

  #show(): void {
    // An address in the history or a link in the page's text may name another language, or none.
    this.#nameLanguage(addressLanguage.current);
    this.#next = null;
    this.#shownAddress = location.pathname + location.search + location.hash;
    this.route = parsePath(location.pathname);
    this.changes += 1;
  }

  /** Asks a question before the page is left, until the returned function is called. */
  askBeforeLeaving(question: () => string): () => void {
    this.#questions.add(question);
    return () => this.#questions.delete(question);
  }

  /**
   * Returns true if the page may be left for the one at a path; asks the visitor if necessary. Asks
   * the same question only once, even if several parts of the page ask it.
   */
  #mayLeave(path: string): boolean {
    const isOther = path.replace(/[?#].*$/, '') !== this.#shownAddress.replace(/[?#].*$/, '');
    if (!isOther) return true;
    const texts = new Set([...this.#questions].map((question) => question()));
    return [...texts].every((text) => confirm(text));
  }

  /** Puts a language into the address, replacing the one there; null removes it. */
  #nameLanguage(language: Language | null): void {
    const path = withBase(withLanguage(language, current().path));
    if (path === location.pathname) return;
    history.replaceState(history.state, '', path + location.search + location.hash);
    this.#shownAddress = path + location.search + location.hash;
  }

  /** Removes the language from the address, because the visitor has chosen another one. */
  dropLanguage(): void {
    addressLanguage.current = null;
    this.#nameLanguage(null);
  }

  /** Shows the page at a path. */
  go(path: string, how: 'push' | 'replace' = 'push'): void {
    if (!this.#mayLeave(path)) {
      this.#next = null;
      return;
    }
    if (how === 'push') history.pushState(null, '', path);
    else history.replaceState(null, '', path);
    this.#show();
    if (how === 'push') scrollTo(0, 0);
  }

  /** Shows the page at an address, after the frame in which its link is highlighted. */
  #goAfterPaint({ pathname, search }: URL): void {
    const next = parsePath(pathname);
    this.#next = next;
    afterPaint(() => {
      // Another page may have been requested in the meantime.
      if (this.#next === next) this.go(pathname + search);
    });
  }

  /** Loads the page at a path in a new document. */
  load(path: string): void {
    location.assign(path);
  }

  /** Reloads the document, which fetches the newest release. */
  reload(): void {
    location.reload();
  }

  /** The path in the address bar, which the page may have rewritten. */
  get path(): string {
    return location.pathname;
  }

  /** The path with the fragment, without the query. */
  get address(): string {
    return location.pathname + location.hash;
  }

  /** Returns a parameter of the query; null if there is none. */
  parameter(name: string): string | null {
    return new URLSearchParams(location.search).get(name);
  }

  /** The part of the address after `#`; empty if there is none. */
  get fragment(): string {
    return location.hash.replace(/^#/, '');
  }

  /**
   * Replaces the address of the current page, without changing the page or adding to the history.
   */
  rewrite(address: string): void {
    if (address !== this.address) history.replaceState(history.state, '', address);
    this.#shownAddress = location.pathname + location.search + location.hash;
  }

  /**
   * Handles history events and plain clicks on links to our own pages, asks before the document is
   * left if something would be lost, and preloads the pages of links under the pointer or with the
   * focus, until the returned function is called.
   */
  listen(): () => void {
    const handlePopState = (): void => {
      if (this.#mayLeave(location.pathname)) this.#show();
      // The browser has already changed the address.
      else history.pushState(null, '', this.#shownAddress);
    };
    const handleUnload = (event: Event): void => {
      if (this.#questions.size > 0) event.preventDefault();
    };
    const handleClick = (event: MouseEvent): void => {
      if (event.defaultPrevented || event.button !== 0) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const url = ownLink(event);
      if (url === null) return;
      event.preventDefault();
      this.#goAfterPaint(url);
    };
    const preload = (event: Event): void => {
      const url = ownLink(event);
      const page = url && parsePath(url.pathname).page;
      if (page !== null && page !== 'not-found') this.prepare(page);
    };
    const listeners = [
      [window, 'popstate', handlePopState],
      [window, 'beforeunload', handleUnload],
      [document, 'click', handleClick],
      [document, 'pointerover', preload],
      [document, 'focusin', preload],
    ] as const;
    for (const [on, type, listener] of listeners)
      on.addEventListener(type, listener as EventListener);
    return () => {
      for (const [on, type, listener] of listeners)
        on.removeEventListener(type, listener as EventListener);
    };
  }
}

export const router = new Router();
