import { describe, expect, it } from 'vitest';
import { chooseLanguage, regionOf } from './languages';

describe('chooseLanguage', () => {
  it('prefers the language that the visitor chose before', () => {
    expect(chooseLanguage('es', ['fr-FR'])).toBe('es');
  });

  it("uses the browser's first supported language", () => {
    expect(chooseLanguage(null, ['de-CH', 'en-GB', 'fr'])).toBe('en');
    expect(chooseLanguage(null, ['es-419'])).toBe('es');
    expect(chooseLanguage('tlh', ['en'])).toBe('en');
  });

  it('falls back to French', () => {
    expect(chooseLanguage(null, ['de', 'ja'])).toBe('fr');
    expect(chooseLanguage(null, [])).toBe('fr');
  });
});

describe('regionOf', () => {
  it("uses the visitor's preferred region for the current language", () => {
    expect(regionOf('en', ['fr-FR', 'en-US', 'en-GB'])).toBe('en-US');
    expect(regionOf('es', ['es-419', 'es'])).toBe('es-419');
  });

  it('uses the language alone, or British English, if no region is preferred', () => {
    expect(regionOf('fr', ['de-CH', 'fr'])).toBe('fr');
    expect(regionOf('en', ['fr-FR'])).toBe('en-GB');
  });
});
