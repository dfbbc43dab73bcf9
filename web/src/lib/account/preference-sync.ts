/**
 * Syncs the visitor's preferences with the account. The browser's copy is used at once; the
 * account's copy replaces it when the visitor signs in, and receives every change made while signed
 * in. A change that could not be sent is sent later.
 */
import { accountPreferences } from '../preferences.svelte';
import { RefusalError } from '../refusal';
import { readStored, writeStored } from '../storage';
import { changePreferences, readPreferences } from './calls';

/**
 * Delay before a change is sent. Further changes, for example while a slider moves, are sent with
 * it.
 */
const DELAY_MS = 700;
/** Storage key for the names of changed preferences that the server has not acknowledged. */
const UNSENT_KEY = 'preferences.unsent';

class AccountSync {
  #account: string | null = null;
  /** Whether the account's preferences have arrived. */
  #isLoaded = false;
  #unsent = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    for (const preference of accountPreferences)
      preference.onchange = () => this.#changed(preference.name);
  }

  /**
   * From now on, syncs with the account that has this name; null means a guest, whose preferences
   * are stored only in the browser.
   */
  follow(account: string | null): void {
    if (account === this.#account) return;
    this.#account = account;
    this.#isLoaded = false;
    clearTimeout(this.#timer);
    this.#unsent = account === null ? new Set() : unsentOf(account);
    if (account !== null) void this.#load(account);
  }

  async #load(account: string): Promise<void> {
    try {
      const { version, values } = await readPreferences();
      if (account !== this.#account) return;
      for (const preference of accountPreferences) {
        const { name } = preference;
        const value = values[name];
        if (value !== undefined && !this.#unsent.has(name)) preference.load(value);
        // An account without preferences adopts those chosen in this browser.
        else if (version === 0 && readStored(name) !== null) this.#unsent.add(name);
      }
      this.#isLoaded = true;
      await this.#send(account);
    } catch {
      // The browser's copy stays in use. Changes are stored, and sent with the next change
      // or on the next visit.
    }
  }

  #changed(name: string): void {
    const account = this.#account;
    if (account === null) return;
    this.#unsent.add(name);
    this.#remember(account);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (this.#isLoaded) this.#send(account).catch(() => {});
      else void this.#load(account);
    }, DELAY_MS);
  }

  async #send(account: string): Promise<void> {
    const changed = accountPreferences.filter(({ name }) => this.#unsent.has(name));
    if (changed.length === 0 || account !== this.#account) return;
    const values = Object.fromEntries(changed.map(({ name, text }) => [name, text]));
    try {
      await changePreferences({ values });
    } catch (error) {
      // If the server refuses the changes for good, sending them again would be pointless.
      if (!isRefused(error)) throw error;
    }
    if (account !== this.#account) return;
    // A value that has changed again since then is sent again.
    for (const { name, text } of changed) if (text === values[name]) this.#unsent.delete(name);
    this.#remember(account);
  }

  #remember(account: string): void {
    writeStored(UNSENT_KEY, JSON.stringify({ account, names: [...this.#unsent] }));
  }
}

/** The codes of failures after which the same request may succeed later. */
const temporaryFailures: ReadonlySet<string> = new Set([
  'network',
  'server',
  'busy',
  'internal',
  'no-room',
  'not-saved',
  'timeout',
  'too-many',
]);

function isRefused(error: unknown): boolean {
  return error instanceof RefusalError && !temporaryFailures.has(error.refusal.code);
}

/** Returns the names of the preferences whose changes have not been sent to that account yet. */
function unsentOf(account: string): Set<string> {
  try {
    const stored: unknown = JSON.parse(readStored(UNSENT_KEY) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return new Set();
    const { account: owner, names } = stored as { account?: unknown; names?: unknown };
    if (owner !== account || !Array.isArray(names)) return new Set();
    return new Set(names.filter((name): name is string => typeof name === 'string'));
  } catch {
    return new Set();
  }
}

export const accountSync = new AccountSync();
