/** What is shown for each page of the routes. */
import type { Component } from 'svelte';
import { i18n } from '$lib/i18n/i18n.svelte';
import type { Part } from '$lib/i18n/parts';
import type { PageName, RouteOf } from '$lib/routing/routes';
import Account from './routes/Account.svelte';
import Game from './routes/Game.svelte';
import Games from './routes/Games.svelte';
import Hall from './routes/Hall.svelte';
import Home from './routes/Home.svelte';
import Invite from './routes/Invite.svelte';
import MailLink from './routes/MailLink.svelte';
import Recovery from './routes/Recovery.svelte';
import Rules from './routes/Rules.svelte';
import Settings from './routes/Settings.svelte';

/** A component that is shown with these properties, or with none. */
type PageComponent<Props extends Record<string, unknown>> =
  Component<Props, object, string> | Component<Record<string, never>, object, string>;

/** How a page comes to be shown. */
interface Page<Shown> {
  /** The component: part of the first load, or fetched when it is asked for. */
  readonly component: Shown | { readonly load: () => Promise<Shown> };
  /** Whether the component follows a change of the values in its path; otherwise another one takes its place. */
  readonly follows?: true;
}

const fetched = <Fetched>(
  load: () => Promise<{ default: Fetched }>,
  part?: Part,
): { readonly load: () => Promise<Fetched> } => ({
  /** The component of a module, once the messages that it cannot begin without are there. */
  load: async () => {
    const [{ default: component }] = await Promise.all([load(), part && i18n.need(part)]);
    return component;
  },
});

const analysis = fetched(() => import('./routes/Analysis.svelte'), 'analysis');

const pages: { readonly [Name in PageName]: Page<PageComponent<RouteOf<Name>>> } = {
  home: { component: Home },
  hall: { component: Hall },
  games: { component: Games },
  game: { component: Game },
  invite: { component: Invite },
  rules: { component: Rules, follows: true },
  learn: { component: fetched(() => import('./routes/Learn.svelte')), follows: true },
  problems: { component: fetched(() => import('./routes/Problems.svelte')), follows: true },
  compose: { component: fetched(() => import('./routes/Compose.svelte')) },
  analysis: { component: analysis },
  'analysis-of-game': { component: analysis },
  'saved-analysis': { component: analysis },
  'saved-analyses': {
    component: fetched(() => import('./routes/SavedAnalyses.svelte'), 'analysis'),
  },
  account: { component: Account },
  settings: { component: Settings },
  recover: { component: Recovery },
  'mail-link-confirm': { component: MailLink },
  'mail-link-stop': { component: MailLink },
};

/** The page of this name. That its component takes the values of its own routes is checked in the table. */
export const pageOf = (name: PageName): Page<Component<RouteOf<PageName>>> =>
  pages[name] as Page<Component<RouteOf<PageName>>>;
