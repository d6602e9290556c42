import { withoutThinking } from "./chat/thinking.ts";
import {
  answerText,
  type ChatCompletion,
  type ChatModel,
  type ChatPrompt,
  MAX_ANSWER_CHARACTERS,
  THOUGHT_TOKENS,
} from "./chat-model.ts";
import type { Upstream } from "./upstream/upstream.ts";
import { unusable } from "./upstream/upstream-error.ts";

/** An answer as a vendor's API gives it. */
export type WireAnswer = Omit<ChatCompletion, "attempts" | "durationMs">;

/** One try of a call, in a vendor's wire format. Throws an `UpstreamError` for a useless answer. */
export interface ChatWire {
  complete(prompt: ChatPrompt): Promise<WireAnswer>;
  /** Hands the pieces to `text`, and ends it. */
  stream(prompt: ChatPrompt, text: StreamedText): Promise<WireAnswer>;
}

/** A chat model over the network, whatever its vendor's wire format is. */
export function createRemoteChatModel(
  named: Pick<ChatModel, "provider" | "model" | "mayThinkAloud">,
  upstream: Upstream,
  wire: ChatWire,
): ChatModel {
  let thinksWithinLimit = false;
  return {
    ...named,
    async complete(prompt, call) {
      const ask = () => withRoomToThink(prompt, wire.complete, () => false);
      const { value, ...taken } = await upstream.call(ask, call);
      return { ...value, ...taken };
    },
    async stream(prompt, call, onText) {
      const { value, ...taken } = await upstream.call((begin) => {
        let isShown = false;
        const show = (piece: string) => {
          isShown = true;
          begin();
          onText(piece);
        };
        const ask = (roomy: ChatPrompt) => wire.stream(roomy, new StreamedText(show));
        return withRoomToThink(prompt, ask, () => isShown);
      }, call);
      return { ...value, ...taken };
    },
    inTurn: upstream.inTurn,
  };

  /**
   * Asks once more where an answer was cut off before its first word: hidden thoughts count
   * against the limit of many servers. The model is then known to need more room.
   */
  async function withRoomToThink(
    prompt: ChatPrompt,
    ask: (prompt: ChatPrompt) => Promise<WireAnswer>,
    isShown: () => boolean,
  ): Promise<WireAnswer> {
    const roomy = { ...prompt, maxOutputTokens: prompt.maxOutputTokens + THOUGHT_TOKENS };
    if (thinksWithinLimit) return ask(roomy);
    const answer = await ask(prompt);
    if (!answer.isCutOff || withoutThinking(answer.text).trim() !== "") return answer;
    thinksWithinLimit = true;
    // What was shown of its thoughts cannot be taken back.
    if (isShown()) return answer;
    const whole = await ask(roomy);
    return {
      ...whole,
      inputTokens: sum(answer.inputTokens, whole.inputTokens),
      outputTokens: sum(answer.outputTokens, whole.outputTokens),
    };
  }
}

function sum(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a + b;
}

/** The text of a chat model that comes in pieces. Untrusted. */
export class StreamedText {
  readonly #onText: (text: string) => void;
  #text = "";
  /** A high surrogate whose low surrogate is in the next piece. */
  #half = "";

  /** `onText` receives each piece as valid Unicode. */
  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  /** Throws an `UpstreamError` for a piece that is no text, and for too much text. Ignores null and undefined. */
  push(piece: unknown): void {
    if (piece === null || piece === undefined || piece === "") return;
    if (typeof piece !== "string") throw unusable("a piece that is no text");
    this.#text += piece;
    if (this.#text.length > MAX_ANSWER_CHARACTERS)
      throw unusable("an answer longer than its limit");
    const text = this.#half + piece;
    this.#half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    this.#handOn(text.slice(0, text.length - this.#half.length));
  }

  /** Ends the text and returns all of it. "": there was none. */
  end(): string {
    this.#handOn(this.#half);
    this.#half = "";
    return answerText(this.#text);
  }

  #handOn(text: string): void {
    if (text !== "") this.#onText(text.toWellFormed());
  }
}
