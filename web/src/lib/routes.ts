/** The pages that are always the same place. */
import { isVariant, variants, type Variant } from './variants';

export const places = ['hall', 'games', 'account', 'settings'] as const;
export type Place = (typeof places)[number];

export type Route =
  | { page: 'home' }
  | { page: Place }
  | { page: 'rules'; variant: Variant }
  | { page: 'game'; id: string }
  | { page: 'invite'; token: string }
  | { page: 'recover'; token: string }
  | { page: 'not-found' };

/** The page that a path names. */
export function parsePath(path: string): Route {
  const [first, second, ...rest] = path.split('/').filter((part) => part !== '');
  if (first === undefined) return { page: 'home' };
  if (second === undefined) {
    if (first === 'rules') return { page: 'rules', variant: variants[0] };
    const place = places.find((each) => each === first);
    return { page: place ?? 'not-found' };
  }
  if (rest.length === 0 && /^[\w-]{1,64}$/.test(second)) {
    if (first === 'rules' && isVariant(second)) return { page: 'rules', variant: second };
    if (first === 'game') return { page: 'game', id: second };
    if (first === 'invite') return { page: 'invite', token: second };
    if (first === 'recover') return { page: 'recover', token: second };
  }
  return { page: 'not-found' };
}

export const gamePath = (id: string): string => `/game/${id}`;
export const rulesPath = (variant: Variant): string => `/rules/${variant}`;
export const clausePath = (rules: string, clause: string): string => `/rules/${rules}#${clause}`;
export const invitePath = (token: string): string => `/invite/${token}`;
