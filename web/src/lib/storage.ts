/**
 * Access to the browser's storage. The page must also work without it (in a private window, or if
 * storage is blocked), so failures are ignored.
 */
import { basePath } from './routing/base-path';
import { variants } from './variants';

/** Houses under different paths on one host share the storage of that host. */
const prefix = `adoube${basePath}.`;

export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}

export function writeStored(name: string, value: string): void {
  try {
    localStorage.setItem(prefix + name, value);
  } catch {
    // Without storage, the value lasts only as long as its caller keeps it.
  }
}

/**
 * Prefixes of personal data, which must not remain on a shared computer: invitation links,
 * analyses, and progress in drills and problems. Settings are kept, including those for analysis,
 * such as `analysis.engine`.
 */
const personal = [
  'invitation.',
  'drills.',
  'problems.',
  // Contains the account's name.
  'preferences.unsent',
  ...variants.map((variant) => `analysis.${variant}`),
];

/** Deletes personal data; called when the visitor signs out or deletes the account. */
export function deletePersonalData(): void {
  try {
    const names = Array.from(
      { length: localStorage.length },
      (_, at) => localStorage.key(at) ?? '',
    );
    for (const name of names)
      if (personal.some((start) => name.startsWith(prefix + start))) localStorage.removeItem(name);
  } catch {
    // Without storage there is nothing to delete.
  }
}
