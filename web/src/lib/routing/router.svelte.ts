import { parsePath, type PageName, type Route } from './routes';

/** The address of the link to a page of ours that an event is about, if it is one of this document. */
function ownLink({ target }: Event): URL | null {
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link || link.target || link.hasAttribute('download')) return null;
  const url = new URL(link.href, location.href);
  const isOwn = url.origin === location.origin && url.hash === '';
  return isOwn && parsePath(url.pathname).page !== 'not-found' ? url : null;
}

/** The address bar: the page that it names, and all ways to change it. No other module touches it. */
class Router {
  /** The page shown; links of the page itself change it without a reload. */
  route = $state.raw<Route>(parsePath(location.pathname));
  /** How many times the page has changed: the first one must not take the focus. */
  changes = $state(0);
  /** Begins to fetch the code of a page that is likely to be shown next; the module that shows pages sets it. */
  prepare: (page: PageName) => void = () => {};

  #show(): void {
    this.route = parsePath(location.pathname);
    this.changes += 1;
  }

  /** Shows the page of a path. */
  go(path: string, how: 'push' | 'replace' = 'push'): void {
    if (how === 'push') history.pushState(null, '', path);
    else history.replaceState(null, '', path);
    this.#show();
    if (how === 'push') scrollTo(0, 0);
  }

  /** Loads the page of a path in a new document. */
  load(path: string): void {
    location.assign(path);
  }

  /** Reloads the document, which fetches the newest release. */
  reload(): void {
    location.reload();
  }

  /** The path of the address bar, which the page may have rewritten. */
  get path(): string {
    return location.pathname;
  }

  /** That path and what follows it. */
  get address(): string {
    return location.pathname + location.hash;
  }

  /** The part of the address after `#`; empty if there is none. */
  get fragment(): string {
    return location.hash.replace(/^#/, '');
  }

  /** Writes another address for what is shown; neither the page nor the history changes. */
  rewrite(address: string): void {
    if (address !== this.address) history.replaceState(history.state, '', address);
  }

  /**
   * Follows history and plain clicks on links to our own pages, and prepares the pages of links that are pointed at. Returns a function
   * that ends this.
   */
  listen(): () => void {
    const popped = (): void => this.#show();
    const clicked = (event: MouseEvent): void => {
      if (event.defaultPrevented || event.button !== 0) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const url = ownLink(event);
      if (url === null) return;
      event.preventDefault();
      this.go(url.pathname + url.search);
    };
    const meant = (event: Event): void => {
      const url = ownLink(event);
      const page = url && parsePath(url.pathname).page;
      if (page !== null && page !== 'not-found') this.prepare(page);
    };
    const listeners = [
      [window, 'popstate', popped],
      [document, 'click', clicked],
      [document, 'pointerover', meant],
      [document, 'focusin', meant],
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
