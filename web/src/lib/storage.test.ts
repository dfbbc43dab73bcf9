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

test.each([
  ['without storage', () => undefined],
  [
    'that blocks storage',
    () => {
      throw new DOMException('denied', 'SecurityError');
    },
  ],
])('a browser %s causes no error', (_, get) => {
  // Some versions of Node.js have their own `localStorage`.
  const own = Object.getOwnPropertyDescriptor(globalThis, 'localStorage');
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, get });
  try {
    writeStored('theme', 'dark');
    expect(readStored('theme')).toBeNull();
    deletePersonalData();
  } finally {
    if (own) Object.defineProperty(globalThis, 'localStorage', own);
    else Reflect.deleteProperty(globalThis, 'localStorage');
  }
});
