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
interface Fetched<Shown> {
  /** Starts loading the code. */
  prepare(): void;
  /** Loads the code and the messages that the component requires; rejects if that fails. */
  load(): Promise<Shown>;
}

/** How a page is shown. */
interface Page<Shown> {
  /** The component: either in the initial bundle or loaded on demand. */
  readonly component: Shown | Fetched<Shown>;
  /**
   * Whether the component handles changes to its path parameters; otherwise it is recreated.
   */
  readonly follows?: true;
}

const fetched = <Shown>(
  get: () => Promise<{ default: Shown }>,
  ...parts: Part[]
): { readonly component: Fetched<Shown> } => ({
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

const analysis = fetched(() => import('./routes/Analysis.svelte'), 'analysis');
const mailLink = fetched(() => import('./routes/MailLink.svelte'), 'account');

/**
 * The initial bundle contains the home page, the most common first page, and the rules, which are
 * mostly text; the other pages are loaded on demand.
 */
const pages: { readonly [Name in PageName]: Page<PageComponent<RouteOf<Name>>> } = {
  home: { component: Home },
  hall: fetched(() => import('./routes/Hall.svelte'), 'hall'),
  games: fetched(() => import('./routes/Games.svelte')),
  game: fetched(() => import('./routes/Game.svelte'), 'hall'),
  invite: fetched(() => import('./routes/Invite.svelte'), 'hall'),
  rules: { component: Rules, follows: true },
  learn: { ...fetched(() => import('./routes/Learn.svelte')), follows: true },
  problems: { ...fetched(() => import('./routes/Problems.svelte')), follows: true },
  compose: fetched(() => import('./routes/Compose.svelte')),
  analysis,
  'analysis-of-game': analysis,
  'saved-analysis': analysis,
  'saved-analyses': fetched(() => import('./routes/SavedAnalyses.svelte'), 'analysis'),
  account: fetched(() => import('./routes/Account.svelte'), 'account'),
  identity: fetched(() => import('./routes/Identity.svelte'), 'account'),
  settings: fetched(() => import('./routes/Settings.svelte')),
  admin: { ...fetched(() => import('./routes/Admin.svelte'), 'account', 'admin'), follows: true },
  'house-text': fetched(() => import('./routes/HouseText.svelte')),
  join: fetched(() => import('./routes/JoinHouse.svelte'), 'account', 'admin'),
  recover: fetched(() => import('./routes/Recovery.svelte'), 'account'),
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
