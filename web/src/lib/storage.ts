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

/**
 * The traces of a person on a computer that others use too: links of invitations, what was analysed, drills and problems done. How the
 * page is to look and speak stays.
 */
const personal = ['invitation.', 'analysis.', 'drills.', 'problems.'];

/** Forgets what is one person's, when that person signs out. */
export function forgetPersonal(): void {
  try {
    const names = Array.from(
      { length: localStorage.length },
      (_, at) => localStorage.key(at) ?? '',
    );
    for (const name of names)
      if (personal.some((begin) => name.startsWith(prefix + begin))) localStorage.removeItem(name);
  } catch {
    // Nothing was kept then.
  }
}
