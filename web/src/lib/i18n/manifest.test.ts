// @vitest-environment happy-dom
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { i18n, t } from './i18n.svelte';
import { languages, reference } from './languages';

interface Manifest {
  readonly lang: string;
  readonly description: string;
  readonly shortcuts: { readonly name: string }[];
}

afterEach(() => document.querySelector('link[rel="manifest"]')?.remove());

it.each(languages)(
  'the manifest in %s is linked, and uses the same words as the page',
  async (language) => {
    const link = document.createElement('link');
    link.rel = 'manifest';
    link.href = '/house/manifest.webmanifest';
    document.head.append(link);
    await i18n.use(language);
    const file = `manifest${language === reference ? '' : `.${language}`}.webmanifest`;
    expect(new URL(link.href).pathname).toBe(`/house/${file}`);

    const read = (name: string): Manifest =>
      JSON.parse(readFileSync(`public/${name}`, 'utf8')) as Manifest;
    const { lang, description, shortcuts, ...rest } = read(file);
    expect(lang).toBe(language);
    expect(description.toLowerCase()).toContain(t('variant-chess').toLowerCase());
    expect(shortcuts.map(({ name }) => name)).toEqual([t('hall-title'), t('home-my-games')]);
    // Nothing else depends on the language.
    const other = read('manifest.webmanifest');
    expect({ ...rest, description, shortcuts: shortcuts.length }).toEqual({
      ...other,
      lang: undefined,
      description,
      shortcuts: other.shortcuts.length,
    });
  },
);
