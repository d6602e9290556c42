import { createParser } from "eventsource-parser";

/** A server-sent event. */
export interface ServerSentEvent {
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any part of any answer
  readonly data: any;
}

/** Reads server-sent events whose data is JSON, as they come. Throws for what is none. */
export class EventReader {
  readonly events: ServerSentEvent[] = [];
  /** What the stream says to whoever reads along. */
  readonly comments: string[] = [];
  readonly #parser = createParser({
    onEvent: ({ event, data, id }) => {
      if (event === undefined || id !== undefined)
        throw new Error(`an event without a name: ${data}`);
      this.events.push({ event, data: JSON.parse(data) });
    },
    onComment: (comment) => void this.comments.push(comment),
    onError: (error) => {
      throw error;
    },
  });
  #last = "";

  push(text: string): void {
    this.#parser.feed(text);
    this.#last = (this.#last + text).slice(-2);
  }

  /** Throws where the stream ended within an event. */
  end(): readonly ServerSentEvent[] {
    if (this.#last !== "" && this.#last !== "\n\n") throw new Error("an event is cut short");
    return this.events;
  }
}

/** The events of a whole stream. */
export function readEvents(text: string): readonly ServerSentEvent[] {
  const reader = new EventReader();
  reader.push(text);
  return reader.end();
}
