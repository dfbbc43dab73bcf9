/** What is shown for each page of the routes. */
import type { Component } from 'svelte';
import { fetchFailure } from '$lib/fetch-failure';
import { i18n } from '$lib/i18n/i18n.svelte';
import type { Part } from '$lib/i18n/parts';
import { RefusalError } from '$lib/refusal';
import type { PageName, RouteOf } from '$lib/routing/routes';
import Home from './routes/Home.svelte';
import Rules from './routes/Rules.svelte';

/** A component that is shown with these properties, or with none. */
type PageComponent<Props extends Record<string, unknown>> =
  Component<Props, object, string> | Component<Record<string, never>, object, string>;

/** A component that is fetched when its page is asked for. */
interface Fetched<Shown> {
  /** Begins to fetch the code. */
  prepare(): void;
  /** Fetches the code and the messages that it cannot begin without; refuses where they cannot be had. */
  load(): Promise<Shown>;
}

/** How a page comes to be shown. */
interface Page<Shown> {
  /** The component: part of the first load, or fetched. */
  readonly component: Shown | Fetched<Shown>;
  /** Whether the component follows a change of the values in its path; otherwise another one takes its place. */
  readonly follows?: true;
}

const fetched = <Shown>(
  get: () => Promise<{ default: Shown }>,
  part?: Part,
): { readonly component: Fetched<Shown> } => ({
  component: {
    prepare() {
      // A failure is told when the page is shown.
      get().catch(() => {});
    },
    async load() {
      try {
        const [{ default: component }] = await Promise.all([get(), part && i18n.need(part)]);
        return component;
      } catch {
        throw new RefusalError(await fetchFailure());
      }
    },
  },
});

const analysis = fetched(() => import('./routes/Analysis.svelte'), 'analysis');
const mailLink = fetched(() => import('./routes/MailLink.svelte'));

/** The first load has the page where most begin and those that are read; the others are fetched. */
const pages: { readonly [Name in PageName]: Page<PageComponent<RouteOf<Name>>> } = {
  home: { component: Home },
  hall: fetched(() => import('./routes/Hall.svelte')),
  games: fetched(() => import('./routes/Games.svelte')),
  game: fetched(() => import('./routes/Game.svelte')),
  invite: fetched(() => import('./routes/Invite.svelte')),
  rules: { component: Rules, follows: true },
  learn: { ...fetched(() => import('./routes/Learn.svelte')), follows: true },
  problems: { ...fetched(() => import('./routes/Problems.svelte')), follows: true },
  compose: fetched(() => import('./routes/Compose.svelte')),
  analysis,
  'analysis-of-game': analysis,
  'saved-analysis': analysis,
  'saved-analyses': fetched(() => import('./routes/SavedAnalyses.svelte'), 'analysis'),
  account: fetched(() => import('./routes/Account.svelte')),
  settings: fetched(() => import('./routes/Settings.svelte')),
  recover: fetched(() => import('./routes/Recovery.svelte')),
  'mail-link-confirm': mailLink,
  'mail-link-stop': mailLink,
};

/** The page of this name. That its component takes the values of its own routes is checked in the table. */
export const pageOf = (name: PageName): Page<Component<RouteOf<PageName>>> =>
  pages[name] as Page<Component<RouteOf<PageName>>>;

/** Begins to fetch the code of a page, if it is not part of the first load. */
export function prepare(name: PageName): void {
  const { component } = pageOf(name);
  if ('prepare' in component) component.prepare();
}
