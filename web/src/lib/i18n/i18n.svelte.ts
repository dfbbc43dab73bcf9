import { FluentBundle, FluentResource, type FluentVariable } from '@fluent/bundle';
import { chooseLanguage, reference, type Language } from './languages';
import { keep, kept } from '../storage';

export type Args = Record<string, FluentVariable>;

const loaders: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  fr: () => import('./fr'),
  en: () => import('./en'),
  es: () => import('./es'),
};

/** What is fetched only where it is shown: the words of a few pages. */
export type Part = 'drill' | 'problem';

const partLoaders = import.meta.glob<string>('../../../../locales/*/{drill,problem}.ftl', {
  query: '?raw',
  import: 'default',
});

async function loadPart(language: Language, part: Part): Promise<string> {
  const load = partLoaders[`../../../../locales/${language}/${part}.ftl`];
  return load ? load() : '';
}

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
  readonly #parts = new Set<Part>();
  language = $state<Language>(reference);

  async use(language: Language): Promise<void> {
    const [{ default: texts }, ...parts] = await Promise.all([
      loaders[language](),
      ...[...this.#parts].map((part) => loadPart(language, part)),
    ]);
    this.#bundle = makeBundle(language, [...Object.values(texts), ...parts]);
    this.language = language;
    document.documentElement.lang = language;
  }

  async start(): Promise<void> {
    await this.use(chooseLanguage(kept('language'), navigator.languages));
  }

  async choose(language: Language): Promise<void> {
    await this.use(language);
    keep('language', language);
  }

  /** Has the words of a part, from now on in every language. */
  async need(part: Part): Promise<void> {
    if (this.#parts.has(part)) return;
    this.#parts.add(part);
    try {
      await this.use(this.language);
    } catch (error) {
      // The next one who needs them tries again.
      this.#parts.delete(part);
      throw error;
    }
  }

  /** Whether a message exists: for codes that come from outside and may be newer than this page. */
  has(key: string): boolean {
    return this.#bundle?.hasMessage(key) ?? false;
  }

  text(key: string, args?: Args): string {
    return (this.#bundle && formatMessage(this.#bundle, key, args)) ?? key;
  }
}

export const i18n = new I18n();

/** The message of this key in the language in use. */
export function t(key: string, args?: Args): string {
  return i18n.text(key, args);
}
