import { writeStored, readStored } from './storage';

/** A setting of the visitor, persisted in the browser. */
export class Persisted<T> {
  readonly #name: string;
  readonly #write: (value: T) => string;
  #value: T = $state.raw() as T;

  /** `read` parses the stored text, which is `null` if there is none. */
  constructor(name: string, read: (text: string | null) => T, write: (value: T) => string) {
    this.#name = name;
    this.#write = write;
    this.#value = read(readStored(name));
  }

  get current(): T {
    return this.#value;
  }

  set current(value: T) {
    this.#value = value;
    writeStored(this.#name, this.#write(value));
  }
}

/** One of a few words; defaults to the first one unless another default is given. */
export function persistedChoice<const T extends readonly string[]>(
  name: string,
  words: T,
  otherwise: T[number] = words[0] ?? '',
): Persisted<T[number]> {
  return new Persisted<T[number]>(
    name,
    (text) => words.find((word) => word === text) ?? otherwise,
    (word) => word,
  );
}

export function persistedSwitch(name: string, otherwise: boolean): Persisted<boolean> {
  return new Persisted(
    name,
    (text) => (text === null ? otherwise : text !== 'off'),
    (on) => (on ? 'on' : 'off'),
  );
}

/** An integer percentage. */
export function persistedPercent(name: string, otherwise: number): Persisted<number> {
  return new Persisted(
    name,
    (text) => {
      const value = Number(text ?? otherwise);
      return Number.isFinite(value) ? Math.min(100, Math.max(0, Math.round(value))) : otherwise;
    },
    String,
  );
}
