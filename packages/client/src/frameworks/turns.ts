import type { AgentMemoryClient } from "../client.ts";

/** The memory around a turn of an agent: it recalls before the turn, and records after it. */
export interface TurnOptions {
  /** The tenant of the memories; left out: the default tenant. */
  readonly tenantId?: string | undefined;
  /** The conversation that what is recorded comes from. */
  readonly sessionId?: string | undefined;
  /** The `source` of what is recorded; "agent" by default. */
  readonly source?: string | undefined;
  /** Most tokens of what is recalled, 50 to 32,000; 1,000 by default, false: nothing is. */
  readonly recall?: number | false | undefined;
  /** Whether what is said is recorded; true by default. */
  readonly record?: boolean | undefined;
  /** Milliseconds that a turn waits for what is recalled, or for its recording; 10,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Hears what went wrong: a turn goes on without its memory. By default it is a warning. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export interface Said {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** The memories for a model: both parts are data, and say so. */
export interface Recalled {
  /** For the system prompt, where vendors cache it: it changes when a fact in it does. */
  readonly stable: string;
  /** For the question; empty where nothing has to do with it. */
  readonly relevant: string;
}

const DEFAULT_TOKENS = 1_000;
const DEFAULT_TIMEOUT_MS = 10_000;
/** The limits of a question, of a message and of a conversation, as the service has them. */
const MAX_QUESTION_BYTES = 8_192;
const MAX_MESSAGE_BYTES = 32_768;
const MAX_MESSAGES = 500;
/** Below the limit of a body. */
const MAX_SAID_BYTES = 512 * 1024;

export function createTurns(
  { memories }: Pick<AgentMemoryClient, "memories">,
  options: TurnOptions = {},
) {
  const { tenantId, sessionId, source = "agent", recall = DEFAULT_TOKENS, record = true } = options;
  const { timeoutMs = DEFAULT_TIMEOUT_MS, onError = warn } = options;
  return {
    /** null: recalling is off, there is no question, or it failed. */
    async recall(asked: string): Promise<Recalled | null> {
      const question = cut(asked.trim(), MAX_QUESTION_BYTES);
      if (recall === false || question === "") return null;
      try {
        const request = { question, maxTokens: recall, tenantId };
        const { stable, relevant } = await memories.getContext(request, { timeoutMs });
        return { stable: stable?.text ?? "", relevant: relevant?.text ?? "" };
      } catch (error) {
        onError(error);
        return null;
      }
    },
    /** Stores what a turn said as memories, if somebody said something; never rejects. */
    async record(said: readonly Said[]): Promise<void> {
      const messages = said
        .map(({ role, content }) => ({ role, content: cut(content.trim(), MAX_MESSAGE_BYTES) }))
        .filter(({ content }) => content !== "");
      if (!record || !messages.some(({ role }) => role === "user")) return;
      try {
        const request = { tenantId, sessionId, source, autoSupersede: true };
        await memories.createMemories({ messages: fitting(messages), ...request }, { timeoutMs });
      } catch (error) {
        onError(error);
      }
    },
  };
}

/** Of too many messages the users' own, and the last answers. */
function fitting(messages: readonly Said[]): Said[] {
  const { user = [], assistant = [] } = Object.groupBy(messages, ({ role }) => role);
  const kept: Said[] = [];
  let left = MAX_SAID_BYTES;
  for (const message of [...user.toReversed(), ...assistant.toReversed()].slice(0, MAX_MESSAGES)) {
    left -= new TextEncoder().encode(message.content).length;
    if (left >= 0) kept.push(message);
  }
  return messages.filter((message) => kept.includes(message));
}

function warn(error: unknown): void {
  console.warn("agent-memory:", error instanceof Error ? error.message : error);
}

/** The beginning of a text that is too long. */
function cut(text: string, maxBytes: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= maxBytes) return text;
  // An end within a character is no character.
  return new TextDecoder().decode(bytes.subarray(0, maxBytes)).replace(/\ufffd+$/, "");
}
