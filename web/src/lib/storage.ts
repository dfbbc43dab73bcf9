/**
 * Small choices kept by the browser. A browser that keeps nothing (private window, storage
 * refused) must still play, so every access may fail silently.
 */
const prefix = 'adoube.';

export function kept(name: string): string | null {
  try {
    return localStorage.getItem(prefix + name);
  } catch {
    return null;
  }
}

export function keep(name: string, value: string): void {
  try {
    localStorage.setItem(prefix + name, value);
  } catch {
    // The choice then lasts as long as the page.
  }
}
