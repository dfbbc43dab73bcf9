import { FluentBundle, FluentResource, type FluentVariable } from '@fluent/bundle';
import { chooseLanguage, reference, regionOf, type Language } from './languages';
import { addressLanguage } from '../routing/address-language.svelte';
import type { Messages } from './messages';
import { loadPart, type Part } from './parts';
import { writeStored, readStored } from '../storage';
import type { Role, Variant } from '../variants';

export type Args = Record<string, FluentVariable>;

/** Key of an existing message. */
export type MessageKey = keyof Messages;

/** Keys of messages without arguments. */
type PlainKey = { [K in MessageKey]: [Messages[K]] extends [never] ? K : never }[MessageKey];

/**
 * Arguments of the messages that a key may refer to; every argument that any of them uses is
 * required.
 */
export type MessageArgs<K extends MessageKey> = Readonly<Record<Messages[K], FluentVariable>>;

/**
 * Keys that contain an external code or name, possibly newer than this page's messages, and keys of
 * words that only some games have.
 */
export type DynamicKey =
  | `error-${string}`
  | `first-look-${string}`
  | `drills-first-${string}`
  | `act-${string}`
  | `detail-${string}`
  | `audit-value-${string}`
  | `house-registration-${string}`
  | `house-chat-${string}`
  | `role-${string}`
  | `reason-${string}`
  | `${'goes' | 'captures' | 'clause'}-${Variant}-${Role}`
  | `setting-shuffled-${string}`
  | `start-${string}-${string}`
  | `drill-group-${string}`
  | `drill-not-${string}`
  | `drill-${string}-${string}-${'title' | 'task' | 'hint' | 'why'}`;

const loaders: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  fr: () => import('./fr'),
  en: () => import('./en'),
  es: () => import('./es'),
};

/** Builds a language's bundle from the contents of its files. */
export function makeBundle(language: Language, texts: Iterable<string>): FluentBundle {
  // All three languages are written left to right; isolation marks would only end up in copied
  // text.
  const bundle = new FluentBundle(language, { useIsolating: false });
  for (const text of texts) bundle.addResource(new FluentResource(text));
  return bundle;
}

export function formatMessage(bundle: FluentBundle, key: string, args?: Args): string | null {
  const message = bundle.getMessage(key);
  if (!message?.value) return null;
  return bundle.formatPattern(message.value, args ?? null, []);
}

/** Links a language's web manifest, which names and describes the installed page in that language. */
function linkManifest(language: Language): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]');
  const suffix = language === reference ? '' : `.${language}`;
  if (link) link.href = link.href.replace(/[^/]*$/, `manifest${suffix}.webmanifest`);
}

/**
 * Messages in the current language. Components that read one are updated when the language changes.
 */
export class I18n {
  #bundle = $state.raw<FluentBundle | null>(null);
  /** The parts requested by pages so far. */
  readonly #parts = new Set<Part>();
  /** The parts that the bundle contains. */
  #loadedParts: ReadonlySet<Part> = new Set();
  #latest: Promise<void> = Promise.resolve();
  /** The language last requested, or the current one if that request failed. */
  #requested: Language = reference;
  language = $state<Language>(reference);
  /** Language tag with the visitor's region, used to format dates. */
  readonly region = $derived(regionOf(this.language, navigator.languages));

  use(language: Language): Promise<void> {
    this.#requested = language;
    const loading = this.#load(language, () => this.#latest === loading);
    this.#latest = loading;
    loading.catch(() => {
      // A failed load must not affect the next one.
      if (this.#latest !== loading) return;
      this.#latest = Promise.resolve();
      this.#requested = this.language;
    });
    return loading;
  }

  /**
   * Loads the messages. If two pages request parts at once, the later load includes the parts of
   * both, and both pages wait for it. If it fails, the parts of the earlier one are loaded again.
   */
  async #load(language: Language, isLatest: () => boolean): Promise<void> {
    const parts = new Set(this.#parts);
    const current = language === this.language ? this.#bundle : null;
    const missing = [...parts].filter((part) => current === null || !this.#loadedParts.has(part));
    const [common, ...more] = await Promise.all([
      current === null ? loaders[language]() : null,
      ...missing.map((part) => loadPart(language, part)),
    ]);
    if (!isLatest()) {
      await this.#latest.catch(() => {});
      const isLoaded = [...parts].every((part) => this.#loadedParts.has(part));
      return isLoaded && this.language === this.#requested ? undefined : this.use(this.#requested);
    }
    this.#loadedParts = parts;
    if (current !== null) {
      // Only pages that are not shown yet use these messages, so no component has to be updated.
      for (const text of more.flat()) current.addResource(new FluentResource(text));
      return;
    }
    this.#bundle = makeBundle(language, [...Object.values(common?.default ?? {}), ...more.flat()]);
    this.language = language;
    document.documentElement.lang = language;
    linkManifest(language);
  }

  /** Loads a part of the messages, and includes it in every later load. */
  async need(part: Part): Promise<void> {
    if (this.#parts.has(part)) {
      await this.#latest;
      if (this.#loadedParts.has(part)) return;
    }
    this.#parts.add(part);
    try {
      await this.use(this.#requested);
    } catch (error) {
      this.#parts.delete(part);
      throw error;
    }
  }

  /** Loads the language of the address, or otherwise the visitor's. */
  async start(): Promise<void> {
    const preferred = addressLanguage.current ?? readStored('language');
    await this.use(chooseLanguage(preferred, navigator.languages));
  }

  async choose(language: Language): Promise<void> {
    await this.use(language);
    writeStored('language', language);
  }

  /**
   * Returns the message for a key that contains an external code or name; null if this page has no
   * such message. Before any messages are loaded, returns the key.
   */
  lookup(key: DynamicKey, args?: Args): string | null {
    return this.#bundle ? formatMessage(this.#bundle, key, args) : key;
  }

  text(key: MessageKey, args?: Args): string {
    return (this.#bundle && formatMessage(this.#bundle, key, args)) ?? key;
  }
}

export const i18n = new I18n();

/** Returns a message in the current language. */
export function t(key: PlainKey): string;
export function t<K extends MessageKey>(key: K, args: MessageArgs<K>): string;
export function t(key: MessageKey, args?: Args): string {
  return i18n.text(key, args);
}
