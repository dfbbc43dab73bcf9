import { parsePath, type Route } from './routes';

/** The address bar: which page it names, and how it is changed. Nothing else of the client touches it. */
class Router {
  /** The page shown; links of the page itself change it without a reload. */
  route = $state.raw<Route>(parsePath(location.pathname));
  /** How many times the page has changed: the first one must not take the focus. */
  changes = $state(0);

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

  /** Leaves this document for the page of a path, which begins anew. */
  load(path: string): void {
    location.assign(path);
  }

  /** The path of the address bar, which a page may have rewritten since it is shown. */
  get path(): string {
    return location.pathname;
  }

  /** That path and what follows it. */
  get address(): string {
    return location.pathname + location.hash;
  }

  /** What follows the `#` of the address; empty without one. */
  get fragment(): string {
    return location.hash.replace(/^#/, '');
  }

  /** Writes another address for what is shown; neither the page nor the history changes. */
  rewrite(address: string): void {
    if (address !== this.address) history.replaceState(history.state, '', address);
  }

  /** Follows history and plain clicks on links to our own pages; returns how to stop. */
  listen(): () => void {
    const popped = (): void => this.#show();
    const clicked = (event: MouseEvent): void => {
      if (event.defaultPrevented || event.button !== 0) return;
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      if (!link || link.target || link.hasAttribute('download')) return;
      const url = new URL(link.href, location.href);
      if (
        url.origin !== location.origin ||
        url.hash ||
        parsePath(url.pathname).page === 'not-found'
      )
        return;
      event.preventDefault();
      this.go(url.pathname + url.search);
    };
    addEventListener('popstate', popped);
    document.addEventListener('click', clicked);
    return () => {
      removeEventListener('popstate', popped);
      document.removeEventListener('click', clicked);
    };
  }
}

export const router = new Router();
