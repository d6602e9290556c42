/**
 * Text that one piece of work writes while another reads it. What nobody has read yet is
 * kept, and read in one piece: who writes sees to its length.
 */
export class TextPipe {
  #unread = "";
  #isEnded = false;
  #changed = Promise.withResolvers<void>();

  write(text: string): void {
    this.#unread += text;
    this.#changed.resolve();
  }

  /** Nothing more will be written. */
  end(): void {
    this.#isEnded = true;
    this.#changed.resolve();
  }

  /** To be read by one. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (;;) {
      const text = this.#unread;
      this.#unread = "";
      if (text !== "") yield text;
      else if (this.#isEnded) return;
      else {
        await this.#changed.promise;
        this.#changed = Promise.withResolvers();
      }
    }
  }
}
