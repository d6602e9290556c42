/** A map that forgets, beyond `maxEntries`, the entry that was set longest ago. */
export class LruMap<Key, Value> extends Map<Key, Value> {
  readonly #maxEntries: number;

  constructor(maxEntries: number) {
    super();
    this.#maxEntries = maxEntries;
  }

  /** Sets the entry and makes it the last one to be forgotten. */
  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const [oldest = key] = this.keys();
    if (this.size > this.#maxEntries) this.delete(oldest);
    return this;
  }
}
