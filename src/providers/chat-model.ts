import { isAllThoughts } from "./chat/thinking.ts";
import { type CallEffort, type ModelCall, type ModelTokens, sumOf } from "./model-call.ts";
import type { RemoteModel } from "./upstream/upstream.ts";
import { UpstreamError, unusable } from "./upstream/upstream-error.ts";

export interface ChatPrompt {
  /** Our instructions. They never contain text of a user. */
  readonly system: string;
  /** Text of users, delimited as data. */
  readonly user: string;
  /** JSON Schema that the vendor is asked to enforce; null: prose. No answer is trusted for it. */
  readonly schema: object | null;
  readonly maxOutputTokens: number;
}

/** The answer of a chat model. Untrusted. */
export interface ChatCompletion extends ModelTokens, CallEffort {
  /** "": an empty answer. */
  readonly text: string;
  /** Whether it ended at `maxOutputTokens`, before the model was done. */
  readonly isCutOff: boolean;
  /** Whether the model or its vendor's filter refused to answer, or to go on. */
  readonly isRefused: boolean;
}

/** A vendor's chat model: one question, one answer. */
export interface ChatModel {
  /** "gemini" or "openai". */
  readonly provider: string;
  readonly model: string;
  /** Whether thoughts may stand in its text: servers of open models leave their opening tag out. */
  readonly mayThinkAloud: boolean;
  /**
   * Throws a `Failure` with the reason `model_unavailable` and a wait when the model is
   * unreachable, times out, or sends what is no answer, after its retries. An abort of the
   * signal ends the call at once.
   *
   * `onText` receives the text in pieces as the vendor sends them. Each piece is valid Unicode,
   * and a repeated try contributes nothing. An answer that breaks off after its first piece is
   * an error without another try. An error of `onText` ends the call, which rejects with it if
   * it is a `Failure`.
   */
  complete(
    prompt: ChatPrompt,
    call: ModelCall,
    onText?: (text: string) => void,
  ): Promise<ChatCompletion>;
  /**
   * Runs one part of long work in its turn: all long work shares a limit, so that other calls find
   * room. The wait counts for no timeout; an abort of the signal ends it.
   */
  inTurn<T>(work: () => Promise<T>, call: ModelCall): Promise<T>;
}

/** Output tokens for thoughts, which count as output: else they could leave none for the answer. */
export const THOUGHT_TOKENS = 8_192;

/** More than any model writes within the tokens that our prompts allow. */
export const MAX_ANSWER_CHARACTERS = 256 * 1024;

/** The JSON Schema of an object that has all of these properties, and no others. */
export function objectSchema(properties: Readonly<Record<string, object>>): object {
  const required = Object.keys(properties);
  return { type: "object", properties, required, additionalProperties: false };
}

/** A piece of an answer as a vendor's API gives it; an answer that comes whole is one. Untrusted. */
export interface AnswerPiece {
  /** null, undefined: none. */
  readonly text: unknown;
  /** null: there is more to come. */
  readonly ending: "done" | "cut_off" | null;
  readonly isRefused: boolean;
  /** Of all of the answer so far; null: the piece does not say. */
  readonly tokens: ModelTokens | null;
}

/**
 * One try of a call in a vendor's format. Throws an `UpstreamError` for a useless answer, and for
 * a request that the vendor refuses as malformed.
 */
export type AskVendor = (prompt: ChatPrompt, isStreamed: boolean) => AsyncIterable<AnswerPiece>;

type Answer = Omit<ChatCompletion, keyof CallEffort>;

/** A chat model over the network, whatever its vendor's wire format is. */
export function createRemoteChatModel(
  named: Pick<ChatModel, "provider" | "model" | "mayThinkAloud">,
  { upstream, habit = { thinksWithinLimit: false } }: Pick<RemoteModel, "upstream" | "habit">,
  ask: AskVendor,
): ChatModel {
  return {
    ...named,
    async complete(prompt, call, onText) {
      const { value, ...taken } = await upstream.call((begin) => {
        let isShown = false;
        const show = (piece: string) => {
          isShown = true;
          begin();
          onText?.(piece);
        };
        const read = (roomy: ChatPrompt) =>
          onText === undefined
            ? readAnswer(ask(roomy, false), () => {})
            : readAnswer(ask(roomy, true), show);
        return withRoomToThink(prompt, read, () => isShown);
      }, call);
      return { ...value, ...taken };
    },
    inTurn: upstream.inTurn,
  };

  /**
   * Asks once more where an answer was cut off before its first word: hidden thoughts count
   * against the limit of many servers. Where that helps, the model is known to need more room.
   * An endpoint may refuse the higher limit, because its context is short.
   */
  async function withRoomToThink(
    prompt: ChatPrompt,
    read: (prompt: ChatPrompt) => Promise<Answer>,
    isShown: () => boolean,
  ): Promise<Answer> {
    const roomy = { ...prompt, maxOutputTokens: prompt.maxOutputTokens + THOUGHT_TOKENS };
    const isThought = ({ isCutOff, text }: Answer) =>
      isCutOff && isAllThoughts(text, prompt.schema !== null);
    const answer = habit.thinksWithinLimit ? null : await read(prompt);
    if (answer !== null && (isShown() || !isThought(answer))) {
      // What was shown of its thoughts cannot be taken back.
      habit.thinksWithinLimit ||= isThought(answer);
      return answer;
    }
    try {
      const whole = await read(roomy);
      habit.thinksWithinLimit = !isThought(whole);
      const answers = answer === null ? [whole] : [answer, whole];
      return {
        ...whole,
        inputTokens: sumOf(answers.map(({ inputTokens }) => inputTokens)),
        outputTokens: sumOf(answers.map(({ outputTokens }) => outputTokens)),
      };
    } catch (error) {
      if (!(error instanceof UpstreamError && error.problem.kind === "refused")) throw error;
      const usual = answer ?? (await read(prompt));
      habit.thinksWithinLimit = false;
      return usual;
    }
  }
}

/** Reads an answer, whole or in pieces. `show` receives the text of each as valid Unicode. */
async function readAnswer(pieces: AsyncIterable<AnswerPiece>, show: (text: string) => void) {
  let text = "";
  /** A high surrogate whose low surrogate is in the next piece. */
  let half = "";
  let ending: AnswerPiece["ending"] = null;
  let isRefused = false;
  let tokens: AnswerPiece["tokens"] = null;
  const handOn = (said: string) => {
    if (said !== "") show(said.toWellFormed());
  };
  for await (const piece of pieces) {
    ending = piece.ending ?? ending;
    isRefused ||= piece.isRefused;
    tokens = piece.tokens ?? tokens;
    const more = textOf(piece.text);
    text += more;
    if (text.length > MAX_ANSWER_CHARACTERS) throw unusable("an answer longer than its limit");
    const said = half + more;
    half = /[\ud800-\udbff]$/.exec(said)?.[0] ?? "";
    handOn(said.slice(0, said.length - half.length));
  }
  // Of a complete answer the end is told.
  if (ending === null) throw new UpstreamError({ kind: "garbled" });
  handOn(half);
  const { inputTokens = null, outputTokens = null } = tokens ?? {};
  const isCutOff = ending === "cut_off";
  return { text: text.toWellFormed(), isCutOff, isRefused, inputTokens, outputTokens };
}

/** Some endpoints say a text in parts. The database keeps no text with a zero in it. */
function textOf(said: unknown): string {
  const parts = Array.isArray(said) ? said.map((part) => part?.text ?? "") : [said ?? ""];
  if (parts.some((part) => typeof part !== "string")) throw unusable("a piece that is no text");
  return parts.join("").replaceAll("\0", "");
}
