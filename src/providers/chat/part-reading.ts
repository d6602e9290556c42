import type { ChatCompletion } from "../chat-model.ts";
import { type ConversationPart, halvesOf } from "./conversation-parts.ts";
import { createQuoteFinder } from "./grounding/evidence.ts";
import { nonsense } from "./model-answer.ts";
import { readStatedFacts, type StatedFact } from "./stated-facts.ts";

/** What one answer of a model states. */
export interface Statement {
  readonly stated: readonly (StatedFact | null)[];
  /** Whether the answer was cut off: then there may be more. */
  readonly isCutOff: boolean;
}

/** Throws `model_unavailable` for an answer that can't be read. */
export function readStatement({ text, isCutOff }: ChatCompletion): Statement {
  const stated = readStatedFacts(text, isCutOff);
  if (stated === null) throw nonsense("an extraction that can't be read");
  return { stated, isCutOff };
}

/**
 * What a model states of a part of a conversation (D27b). An answer that was cut off is
 * used as far as it is whole, and the rest is asked for again, from the last message that
 * it covered; where that is all of the part, in halves. `ask` asks the model.
 *
 * Throws `model_unavailable` for an answer that is cut off and states nothing, and what `ask` throws.
 */
export async function readPart(
  part: ConversationPart,
  ask: (part: ConversationPart) => Promise<Statement>,
): Promise<readonly (StatedFact | null)[]> {
  const { stated, isCutOff } = await ask(part);
  const own = withoutContext(part, stated);
  if (!isCutOff) return own;
  const rest = partFrom(part, own.findLast((entry) => entry !== null)?.messageIndex ?? null);
  const others = rest === null ? halvesOf(part) : [rest];
  if (others.length === 0 && own.length === 0) throw nonsense("an extraction beyond its limit");
  const again: (StatedFact | null)[] = [];
  for (const other of others) again.push(...(await readPart(other, ask)));
  return [...own, ...again];
}

/** What is stated, but for what users said in the context: another part states it. */
function withoutContext(
  { context, pieces }: ConversationPart,
  stated: readonly (StatedFact | null)[],
): (StatedFact | null)[] {
  const [isOwn, isOthers] = [pieces, context].map((said) => {
    const messages = said.map(({ role, text }) => ({ role, content: text }));
    const find = createQuoteFinder(messages);
    return (quote: string) => find(quote, null) !== null;
  });
  return stated.filter((entry) => {
    if (entry === null) return true;
    return isOwn?.(entry.quote) || !isOthers?.(entry.quote);
  });
}

/** The part from a message on, with what was before it as context; null: that is all of it, or none. */
function partFrom(
  { context, pieces }: ConversationPart,
  messageIndex: number | null,
): ConversationPart | null {
  const start = pieces.findIndex((piece) => piece.messageIndex === messageIndex);
  if (start <= 0) return null;
  return { context: [...context, ...pieces.slice(0, start)], pieces: pieces.slice(start) };
}
