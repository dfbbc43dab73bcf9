/**
 * The path of the house on its host, such as `/echecs`; empty if the house has the host to itself.
 * The server writes it into every document, so the same files serve any path. Tests may run without
 * a document.
 */
export const basePath: string = globalThis.document?.documentElement.dataset['base'] ?? '';

/** Returns the address of a path within the house, such as `/api/house`. */
export const withBase = (path: string): string => basePath + path;

/** Returns the path within the house that an address names; null if the address is outside it. */
export function withoutBase(address: string): string | null {
  if (!address.startsWith(basePath)) return null;
  const path = address.slice(basePath.length);
  return path.startsWith('/') ? path : null;
}
