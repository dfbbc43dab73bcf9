import { writeStored, readStored } from './storage';

/** The part of a setting that does not depend on the type of its value. */
export interface PersistedText {
  readonly name: string;
  readonly text: string;
  onchange: (() => void) | null;
  load(text: string): void;
}

/** One of the visitor's settings, persisted in the browser. */
export class Persisted<T> implements PersistedText {
  /**
   * The name of the setting in the browser's storage, without the prefix, and in an account's
   * preferences.
   */
  readonly name: string;
  readonly #read: (text: string | null) => T;
  readonly #write: (value: T) => string;
  #value: T = $state.raw() as T;
  /** Called when the visitor has changed the value, but not when it has been loaded. */
  onchange: (() => void) | null = null;

  /** `read` parses the stored text, which is `null` if there is none. */
  constructor(name: string, read: (text: string | null) => T, write: (value: T) => string) {
    this.name = name;
    this.#read = read;
    this.#write = write;
    this.#value = read(readStored(name));
  }

  get current(): T {
    return this.#value;
  }

  set current(value: T) {
    const text = this.text;
    this.#value = value;
    writeStored(this.name, this.text);
    if (this.text !== text) this.onchange?.();
  }

  /** The value as text, as it is stored. */
  get text(): string {
    return this.#write(this.#value);
  }

  /** Adopts a value that was stored elsewhere. The setting's `read` also handles invalid text. */
  load(text: string): void {
    this.#value = this.#read(text);
    writeStored(this.name, this.text);
  }
}

/**
 * Creates a setting with a few named values; the default is the first one unless another is given.
 */
export function persistedChoice<const T extends readonly string[]>(
  name: string,
  words: T,
  defaultValue: T[number] = words[0] ?? '',
): Persisted<T[number]> {
  return new Persisted<T[number]>(
    name,
    (text) => words.find((word) => word === text) ?? defaultValue,
    (word) => word,
  );
}

export function persistedSwitch(name: string, defaultValue: boolean): Persisted<boolean> {
  return new Persisted(
    name,
    (text) => (text === null ? defaultValue : text !== 'off'),
    (on) => (on ? 'on' : 'off'),
  );
}

/** Creates a setting with an integer percentage of at least `min`. */
export function persistedPercent(name: string, defaultValue: number, min = 0): Persisted<number> {
  return new Persisted(
    name,
    (text) => {
      const value = Number(text ?? defaultValue);
      return Number.isFinite(value)
        ? Math.min(100, Math.max(min, Math.round(value)))
        : defaultValue;
    },
    String,
  );
}
