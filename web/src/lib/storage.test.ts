import { afterEach, expect, test, vi } from 'vitest';
import { forgetPersonal, keep, kept } from './storage';

/** A stand-in for the browser's storage. */
function fakeStorage(): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    clear: () => values.clear(),
    getItem: (name) => values.get(name) ?? null,
    key: (at) => [...values.keys()][at] ?? null,
    removeItem: (name) => values.delete(name),
    setItem: (name, value) => values.set(name, value),
  };
}

afterEach(() => vi.unstubAllGlobals());

test('what is one person’s is forgotten, and how the page looks is not', () => {
  vi.stubGlobal('localStorage', fakeStorage());
  const personal = [
    'invitation.g1',
    'invitation.g2',
    'analysis.chess',
    'drills.baroque',
    'problems.chess',
  ];
  const shared = ['language', 'theme', 'clocks'];
  for (const name of [...personal, ...shared]) keep(name, 'x');
  forgetPersonal();
  expect(personal.map(kept)).toEqual(personal.map(() => null));
  expect(shared.map(kept)).toEqual(shared.map(() => 'x'));
});

test('a browser that keeps nothing is no error', () => {
  expect(() => forgetPersonal()).not.toThrow();
});
