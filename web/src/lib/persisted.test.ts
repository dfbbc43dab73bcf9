import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { persistedPercent, persistedSwitch, persistedChoice } from './persisted.svelte';

describe('a persisted value', () => {
  const store = new Map<string, string>();

  beforeEach(() => {
    store.clear();
    vi.stubGlobal('localStorage', {
      getItem: (name: string) => store.get(name) ?? null,
      setItem: (name: string, value: string) => store.set(name, value),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('is restored on the next visit', () => {
    persistedChoice('word', ['a', 'b']).current = 'b';
    persistedSwitch('switch', true).current = false;
    persistedPercent('percent', 50).current = 35;
    expect(persistedChoice('word', ['a', 'b']).current).toBe('b');
    expect(persistedSwitch('switch', true).current).toBe(false);
    expect(persistedPercent('percent', 50).current).toBe(35);
  });

  it('has its default value until another is chosen', () => {
    expect(persistedChoice('word', ['a', 'b']).current).toBe('a');
    expect(persistedChoice('word', ['a', 'b'], 'b').current).toBe('b');
    expect(persistedSwitch('on', true).current).toBe(true);
    expect(persistedSwitch('off', false).current).toBe(false);
    expect(persistedPercent('percent', 50).current).toBe(50);
  });

  it('falls back to the default if the stored value is invalid, and limits percentages', () => {
    store.set('adoube.word', 'z');
    store.set('adoube.percent', 'loud');
    expect(persistedChoice('word', ['a', 'b']).current).toBe('a');
    expect(persistedPercent('percent', 50).current).toBe(50);
    store.set('adoube.percent', '900');
    expect(persistedPercent('percent', 50).current).toBe(100);
  });

  it('lasts until the page is closed if the browser has no storage', () => {
    vi.stubGlobal('localStorage', undefined);
    const word = persistedChoice('word', ['a', 'b']);
    word.current = 'b';
    expect(word.current).toBe('b');
  });
});
