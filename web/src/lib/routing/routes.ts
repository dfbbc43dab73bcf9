/** Parses and builds the paths of the client's pages. */
import { isAdminSection, type AdminSection } from '../admin/sections';
import type { HousePageName } from '../api';
import { isVariant, defaultVariant, type Variant } from '../variants';
import { addressLanguage, splitLanguage, withLanguage } from './address-language.svelte';
import { withBase, withoutBase } from './base-path';
import { paths } from './paths';

/** A path parameter: how its text is parsed, and its default if a path of the page omits it. */
interface Parameter<Value, Default = never> {
  read(text: string): Value | null;
  readonly default?: Default;
}

const matching = (pattern: RegExp): Parameter<string>['read'] => {
  return (text) => (pattern.test(text) ? text : null);
};

const variant: Parameter<Variant, Variant> = {
  read: (text) => (isVariant(text) ? text : null),
  default: defaultVariant,
};
const id: Parameter<string> = { read: matching(/^[\w-]{1,64}$/) };
const token: Parameter<string> = { read: matching(/^[\w-]{1,96}$/) };
const entry: Parameter<string, null> = { read: matching(/^[A-Za-z0-9-]{1,64}$/), default: null };

const section: Parameter<AdminSection | 'start', null> = {
  read: (name) => (name === 'start' || isAdminSection(name) ? name : null),
  default: null,
};
const text: Parameter<HousePageName> = {
  read: (name) => (name === 'legal' || name === 'privacy' ? name : null),
};

const parameters = {
  variant,
  id,
  saved: id,
  token,
  drill: entry,
  problem: entry,
  section,
  text,
};

/** The names of the parameters in a path. */
type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

type ValueOf<Name> = Name extends keyof typeof parameters
  ? (typeof parameters)[Name] extends Parameter<infer Value, infer Default>
    ? Value | Default
    : never
  : never;

export type PageName = keyof typeof paths;
type PathOf<Page extends PageName> = (typeof paths)[Page][number];

/** The parameter values of a page. */
type ValuesOf<Page extends PageName> = {
  readonly [Name in NamesIn<PathOf<Page>>]: ValueOf<Name>;
};

/** A page with its parameter values. */
export type RouteOf<Page extends PageName> = Page extends PageName
  ? { readonly page: Page } & ValuesOf<Page>
  : never;

export type Route = RouteOf<PageName> | { readonly page: 'not-found' };

/** The parameters that every path of a page has. */
type NeededIn<Page extends PageName> = {
  [Name in NamesIn<PathOf<Page>>]: [Exclude<PathOf<Page>, `${string}{${Name}}${string}`>] extends [
    never,
  ]
    ? Name
    : never;
}[NamesIn<PathOf<Page>>];

/** The values needed to build a path of a page; parameters that some paths omit are optional. */
type PathValues<Page extends PageName> = Pick<ValuesOf<Page>, NeededIn<Page>> & {
  readonly [Name in Exclude<NamesIn<PathOf<Page>>, NeededIn<Page>>]?:
    ValueOf<Name> | null | undefined;
};

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');
const nameIn = (part: string): string | null => /^\{(\w+)\}$/.exec(part)?.[1] ?? null;

const isPage = (name: string): name is PageName => Object.hasOwn(paths, name);
const isParameter = (name: string): name is keyof typeof parameters =>
  Object.hasOwn(parameters, name);

/**
 * All path patterns, in ascending order of their number of parameters: a literal segment wins over
 * a parameter, as on the server.
 */
const patterns = Object.keys(paths)
  .filter(isPage)
  .flatMap((page) => paths[page].map((path) => ({ page, parts: partsOf(path) })))
  .sort((one, other) => countIn(one.parts) - countIn(other.parts));

function countIn(parts: readonly string[]): number {
  return parts.filter((part) => nameIn(part) !== null).length;
}

/** Returns the parameter values if a path matches a pattern; otherwise null. */
function match(pattern: readonly string[], parts: readonly string[]): Map<string, unknown> | null {
  if (pattern.length !== parts.length) return null;
  const values = new Map<string, unknown>();
  for (const [index, expected] of pattern.entries()) {
    const found = parts[index] ?? '';
    const name = nameIn(expected);
    if (name === null) {
      if (expected !== found) return null;
      continue;
    }
    const value = isParameter(name) ? parameters[name].read(found) : null;
    if (value === null) return null;
    values.set(name, value);
  }
  return values;
}

/** Adds the defaults of omitted parameters. */
function withDefaults(page: PageName, values: Map<string, unknown>): Map<string, unknown> {
  for (const name of paths[page].flatMap(partsOf).map(nameIn))
    if (name !== null && !values.has(name) && isParameter(name))
      values.set(name, parameters[name].default);
  return values;
}

/**
 * Parses the path of an address, with or without a language prefix. Paths outside the house have no
 * page.
 */
export function parsePath(address: string): Route {
  const path = withoutBase(address);
  if (path === null) return { page: 'not-found' };
  const parts = partsOf(splitLanguage(path).path);
  for (const { page, parts: pattern } of patterns) {
    const values = match(pattern, parts);
    // The values have the types of the parameters in the page's own paths.
    if (values !== null)
      return { page, ...Object.fromEntries(withDefaults(page, values)) } as RouteOf<PageName>;
  }
  return { page: 'not-found' };
}

/**
 * Returns the address of a page with as many of the given values as possible, followed by the
 * fragment if given. It names the same language as this document's address.
 */
export function pathOf<Page extends PageName>(
  page: Page,
  ...[values, fragment]: [NeededIn<Page>] extends [never]
    ? [values?: PathValues<Page>, fragment?: string]
    : [values: PathValues<Page>, fragment?: string]
): string {
  const segments = new Map<string, unknown>(
    Object.entries(values ?? {}).filter(([, value]) => value !== null && value !== undefined),
  );
  const candidates = [...paths[page]]
    .map((path: string) => partsOf(path))
    .filter((parts) => parts.map(nameIn).every((name) => name === null || segments.has(name)))
    .sort((one, other) => countIn(other) - countIn(one));
  const parts = (candidates[0] ?? []).map((part) => {
    const name = nameIn(part);
    return name === null ? part : encodeURIComponent(String(segments.get(name)));
  });
  const path = withBase(withLanguage(addressLanguage.current, `/${parts.join('/')}`));
  return fragment === undefined ? path : `${path}#${fragment}`;
}

/** Returns the fragment that passes a position to the analysis board or the composition page. */
export const fenFragment = (fen: string): string => `fen=${encodeURIComponent(fen)}`;
