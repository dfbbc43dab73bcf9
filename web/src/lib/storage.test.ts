import { afterEach, expect, test, vi } from 'vitest';
import { deletePersonalData, writeStored, readStored } from './storage';

/** Creates a stand-in for the browser's storage. */
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

test('personal data is deleted, settings are kept', () => {
  vi.stubGlobal('localStorage', fakeStorage());
  const personal = [
    'invitation.g1',
    'invitation.g2',
    'analysis.chess',
    'analysis.chess.before',
    'drills.baroque',
    'problems.chess',
  ];
  const shared = [
    'language',
    'theme',
    'clocks',
    'analysis.engine',
    'analysis.lines',
    'analysis.threads',
  ];
  for (const name of [...personal, ...shared]) writeStored(name, 'x');
  deletePersonalData();
  expect(personal.map(readStored)).toEqual(personal.map(() => null));
  expect(shared.map(readStored)).toEqual(shared.map(() => 'x'));
});

test('a browser without storage causes no error', () => {
  expect(() => deletePersonalData()).not.toThrow();
});
