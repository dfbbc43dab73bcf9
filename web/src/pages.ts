/** The component of each page. */
import type { Component } from 'svelte';
import { fetchFailure } from '$lib/fetch-failure';
import { i18n } from '$lib/i18n/i18n.svelte';
import type { Part } from '$lib/i18n/parts';
import { RefusalError } from '$lib/refusal';
import type { PageName, RouteOf } from '$lib/routing/routes';
import Home from './routes/Home.svelte';
import Rules from './routes/Rules.svelte';

/** A component with these props, or with none. */
type PageComponent<Props extends Record<string, unknown>> =
  Component<Props, object, string> | Component<Record<string, never>, object, string>;

/** A component that is loaded on demand. */
interface Lazy<View> {
  /** Starts loading the code. */
  prepare(): void;
  /** Loads the code and the messages that the component requires; rejects if that fails. */
  load(): Promise<View>;
}

/** A page of the client. */
interface Page<View> {
  /** The component: either in the initial bundle or loaded on demand. */
  readonly component: View | Lazy<View>;
  /**
   * Whether the component handles changes to its path parameters; otherwise it is recreated.
   */
  readonly follows?: true;
}

const lazy = <View>(
  get: () => Promise<{ default: View }>,
  ...parts: Part[]
): { readonly component: Lazy<View> } => ({
  component: {
    prepare() {
      // The failure is reported when the page is shown.
      get().catch(() => {});
    },
    async load() {
      try {
        const [{ default: component }] = await Promise.all([
          get(),
          ...parts.map((part) => i18n.need(part)),
        ]);
        return component;
      } catch {
        throw new RefusalError(await fetchFailure());
      }
    },
  },
});

const analysis = lazy(() => import('./routes/Analysis.svelte'), 'analysis');
const mailLink = lazy(() => import('./routes/MailLink.svelte'), 'account');

/**
 * The initial bundle contains the home page (the most common first page) and the rules (mostly
 * text); the other pages are loaded on demand.
 */
const pages: { readonly [Name in PageName]: Page<PageComponent<RouteOf<Name>>> } = {
  home: { component: Home },
  hall: lazy(() => import('./routes/Hall.svelte'), 'hall'),
  games: lazy(() => import('./routes/Games.svelte')),
  game: lazy(() => import('./routes/Game.svelte'), 'hall'),
  invite: lazy(() => import('./routes/Invite.svelte'), 'hall'),
  rules: { component: Rules, follows: true },
  learn: { ...lazy(() => import('./routes/Learn.svelte')), follows: true },
  problems: { ...lazy(() => import('./routes/Problems.svelte')), follows: true },
  compose: lazy(() => import('./routes/Compose.svelte')),
  analysis,
  'analysis-of-game': analysis,
  'saved-analysis': analysis,
  'saved-analyses': lazy(() => import('./routes/SavedAnalyses.svelte'), 'analysis'),
  account: lazy(() => import('./routes/Account.svelte'), 'account'),
  identity: lazy(() => import('./routes/Identity.svelte'), 'account'),
  settings: lazy(() => import('./routes/Settings.svelte')),
  admin: { ...lazy(() => import('./routes/Admin.svelte'), 'account', 'admin'), follows: true },
  'house-text': lazy(() => import('./routes/HouseText.svelte')),
  join: lazy(() => import('./routes/JoinHouse.svelte'), 'account', 'admin'),
  recover: lazy(() => import('./routes/Recovery.svelte'), 'account'),
  'mail-link-confirm': mailLink,
  'mail-link-stop': mailLink,
};

/**
 * Returns the page with this name. The type of `pages` ensures that each component accepts the
 * parameters of its own route.
 */
export const pageOf = (name: PageName): Page<Component<RouteOf<PageName>>> =>
  pages[name] as Page<Component<RouteOf<PageName>>>;

/** Starts loading the code of a page, unless it is in the initial bundle. */
export function prepare(name: PageName): void {
  const { component } = pageOf(name);
  if ('prepare' in component) component.prepare();
}
