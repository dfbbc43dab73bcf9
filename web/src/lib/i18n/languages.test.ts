import { describe, expect, it } from 'vitest';
import { chooseLanguage } from './languages';

describe('chooseLanguage', () => {
  it('prefers what the visitor chose before', () => {
    expect(chooseLanguage('es', ['fr-FR'])).toBe('es');
  });

  it('takes the first language of the browser that exists', () => {
    expect(chooseLanguage(null, ['de-CH', 'en-GB', 'fr'])).toBe('en');
    expect(chooseLanguage(null, ['es-419'])).toBe('es');
    expect(chooseLanguage('tlh', ['en'])).toBe('en');
  });

  it('falls back on French', () => {
    expect(chooseLanguage(null, ['de', 'ja'])).toBe('fr');
    expect(chooseLanguage(null, [])).toBe('fr');
  });
});
