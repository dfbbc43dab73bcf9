import { FluentBundle, FluentResource, type FluentVariable } from '@fluent/bundle';
import { chooseLanguage, reference, regionOf, type Language } from './languages';
import type { Messages } from './messages';
import { loadPart, type Part } from './parts';
import { keep, kept } from '../storage';

export type Args = Record<string, FluentVariable>;

/** The key of a message that exists. */
export type MessageKey = keyof Messages;

/** The keys of messages without arguments. */
type PlainKey = { [K in MessageKey]: [Messages[K]] extends [never] ? K : never }[MessageKey];

/** The arguments of the messages that a key may name: what one of them mentions must be given. */
export type MessageArgs<K extends MessageKey> = Readonly<Record<Messages[K], FluentVariable>>;

/** Keys that end in a code or a name from outside, which may be newer than the messages of this page. */
export type ForeignKey =
  | `error-${string}`
  | `reason-${string}`
  | `drill-group-${string}`
  | `drill-not-${string}`
  | `drill-${string}-${string}-${'title' | 'task' | 'hint' | 'why'}`;

const loaders: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  fr: () => import('./fr'),
  en: () => import('./en'),
  es: () => import('./es'),
};

/** A bundle of one language from the texts of its files. */
export function makeBundle(language: Language, texts: Iterable<string>): FluentBundle {
  // All three languages run left to right: the isolation marks would only get into copied text.
  const bundle = new FluentBundle(language, { useIsolating: false });
  for (const text of texts) bundle.addResource(new FluentResource(text));
  return bundle;
}

export function formatMessage(bundle: FluentBundle, key: string, args?: Args): string | null {
  const message = bundle.getMessage(key);
  if (!message?.value) return null;
  return bundle.formatPattern(message.value, args ?? null, []);
}

/** The messages of the language in use; reading one in a component follows a switch of language. */
export class I18n {
  #bundle = $state.raw<FluentBundle | null>(null);
  /** The parts that pages have asked for. */
  readonly #parts = new Set<Part>();
  #latest: Promise<void> = Promise.resolve();
  language = $state<Language>(reference);
  /** The language as the visitor's region writes dates in it. */
  readonly region = $derived(regionOf(this.language, navigator.languages));

  use(language: Language): Promise<void> {
    const loading = this.#load(language, () => this.#latest === loading);
    this.#latest = loading;
    loading.catch(() => {
      // The next request does not inherit the failure.
      if (this.#latest === loading) this.#latest = Promise.resolve();
    });
    return loading;
  }

  /** Two pages may ask at once: what the later one brings holds all, and is waited for by both. */
  async #load(language: Language, isLatest: () => boolean): Promise<void> {
    const [common, ...more] = await Promise.all([
      loaders[language](),
      ...[...this.#parts].map((part) => loadPart(language, part)),
    ]);
    if (!isLatest()) return this.#latest;
    this.#bundle = makeBundle(language, [...Object.values(common.default), ...more.flat()]);
    this.language = language;
    document.documentElement.lang = language;
  }

  /** Fetches the messages of a page that has its own. */
  async need(part: Part): Promise<void> {
    if (this.#parts.has(part)) return this.#latest;
    this.#parts.add(part);
    try {
      await this.use(this.language);
    } catch (error) {
      this.#parts.delete(part);
      throw error;
    }
  }

  async start(): Promise<void> {
    await this.use(chooseLanguage(kept('language'), navigator.languages));
  }

  async choose(language: Language): Promise<void> {
    await this.use(language);
    keep('language', language);
  }

  /**
   * The message of a key that ends in something from outside; null if this page has no such message. As long as there are no messages at
   * all, each is shown by its key.
   */
  lookup(key: ForeignKey, args?: Args): string | null {
    return this.#bundle ? formatMessage(this.#bundle, key, args) : key;
  }

  text(key: MessageKey, args?: Args): string {
    return (this.#bundle && formatMessage(this.#bundle, key, args)) ?? key;
  }
}

export const i18n = new I18n();

/** The message of this key in the language in use. */
export function t(key: PlainKey): string;
export function t<K extends MessageKey>(key: K, args: MessageArgs<K>): string;
export function t(key: MessageKey, args?: Args): string {
  return i18n.text(key, args);
}
