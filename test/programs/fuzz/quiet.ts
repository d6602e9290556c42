/** Lets one at a time have everything to itself, and many go on side by side else. */
export class Quiet {
  readonly #underWay = new Set<Promise<unknown>>();
  #alone: Promise<unknown> = Promise.resolve();

  /** Runs `work` beside others, once nobody is alone. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    let alone: Promise<unknown>;
    do {
      alone = this.#alone;
      await alone;
    } while (alone !== this.#alone);
    const running = work();
    const settled = running.catch(() => {}).finally(() => this.#underWay.delete(settled));
    this.#underWay.add(settled);
    return running;
  }

  /** Runs `work` when all that is under way is done; others wait meanwhile. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#alone;
    const running = before.then(() => Promise.all(this.#underWay)).then(work);
    this.#alone = running.catch(() => {});
    return running;
  }
}
