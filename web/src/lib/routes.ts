/** The pages that are always the same place. */
import { isVariant, type Variant, usualVariant } from './variants';

export const places = ['hall', 'games', 'account', 'settings'] as const;
export type Place = (typeof places)[number];

export type Route =
  | { page: 'home' }
  | { page: Place }
  | { page: 'rules'; variant: Variant }
  | { page: 'analysis'; variant: Variant }
  | { page: 'analysis-game'; id: string }
  | { page: 'analysis-list' }
  | { page: 'analysis-saved'; id: string }
  | { page: 'learn'; variant: Variant; drill: string | null }
  | { page: 'problems'; variant: Variant; problem: string | null }
  | { page: 'compose'; variant: Variant }
  | { page: 'game'; id: string }
  | { page: 'invite'; token: string }
  | { page: 'recover'; token: string }
  | { page: 'mail-link'; wish: 'confirm' | 'stop'; token: string }
  | { page: 'not-found' };

/** The page that a path names. */
export function parsePath(path: string): Route {
  const [first, second, ...rest] = path.split('/').filter((part) => part !== '');
  if (first === undefined) return { page: 'home' };
  if (second === undefined) {
    if (first === 'rules') return { page: 'rules', variant: usualVariant };
    if (first === 'analysis') return { page: 'analysis', variant: usualVariant };
    if (first === 'learn') return { page: 'learn', variant: usualVariant, drill: null };
    if (first === 'problems') return { page: 'problems', variant: usualVariant, problem: null };
    const place = places.find((each) => each === first);
    return { page: place ?? 'not-found' };
  }
  const third = rest[0] ?? null;
  if (
    isVariant(second) &&
    rest.length <= 1 &&
    (third === null || /^[A-Za-z0-9-]{1,64}$/.test(third))
  ) {
    if (first === 'learn') return { page: 'learn', variant: second, drill: third };
    if (first === 'problems' && third === 'compose') return { page: 'compose', variant: second };
    if (first === 'problems') return { page: 'problems', variant: second, problem: third };
  }
  if (rest.length === 0 && /^[\w-]{1,64}$/.test(second)) {
    if (first === 'rules' && isVariant(second)) return { page: 'rules', variant: second };
    if (first === 'analysis' && second === 'saved') return { page: 'analysis-list' };
    if (first === 'analysis' && isVariant(second)) return { page: 'analysis', variant: second };
    if (first === 'game') return { page: 'game', id: second };
    if (first === 'invite') return { page: 'invite', token: second };
    if (first === 'recover') return { page: 'recover', token: second };
    if (first === 'confirm') return { page: 'mail-link', wish: 'confirm', token: second };
  }
  const [id, ...more] = rest;
  if (first === 'mail' && second === 'stop' && id !== undefined && more.length === 0) {
    if (/^[\w-]{1,96}$/.test(id)) return { page: 'mail-link', wish: 'stop', token: id };
  }
  if (first === 'analysis' && id !== undefined && more.length === 0 && /^[\w-]{1,64}$/.test(id)) {
    if (second === 'game') return { page: 'analysis-game', id };
    if (second === 'saved') return { page: 'analysis-saved', id };
  }
  return { page: 'not-found' };
}

export const gamePath = (id: string): string => `/game/${id}`;
export const rulesPath = (variant: Variant): string => `/rules/${variant}`;
export const analysisPath = (variant: Variant): string => `/analysis/${variant}`;
/** The analyses of the account, and one of them. */
export const savedAnalysesPath = '/analysis/saved';
export const savedAnalysisPath = (id: string): string => `/analysis/saved/${id}`;
export const analysedGamePath = (id: string): string => `/analysis/game/${id}`;
/** The analysis board with a position. */
export const analysedFenPath = (variant: Variant, fen: string): string =>
  `${analysisPath(variant)}#fen=${encodeURIComponent(fen)}`;
export const clausePath = (rules: string, clause: string): string => `/rules/${rules}#${clause}`;
export const invitePath = (token: string): string => `/invite/${token}`;

export const learnPath = (variant: Variant, drill?: string): string =>
  drill === undefined ? `/learn/${variant}` : `/learn/${variant}/${drill}`;

export const problemsPath = (variant: Variant, problem?: string): string =>
  problem === undefined ? `/problems/${variant}` : `/problems/${variant}/${problem}`;

/** The page where a problem is composed, with a position if one is given. */
export const composePath = (variant: Variant, fen?: string): string =>
  `/problems/${variant}/compose${fen === undefined ? '' : `#fen=${encodeURIComponent(fen)}`}`;
