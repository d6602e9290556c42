/** A map that forgets, beyond `maxEntries`, the entry that was set longest ago. */
export class LruMap<Key, Value> {
  readonly #maxEntries: number;
  /** In the order in which they were set. */
  readonly #entries = new Map<Key, Value>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  /** Sets the entry and makes it the last one to be forgotten. */
  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#maxEntries) return;
    const [oldest = key] = this.#entries.keys();
    this.#entries.delete(oldest);
  }

  entries(): MapIterator<[Key, Value]> {
    return this.#entries.entries();
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
