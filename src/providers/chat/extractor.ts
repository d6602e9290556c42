import { mapConcurrently } from "../../concurrency/map-concurrently.ts";
import type { ChatModel } from "../chat-model.ts";
import { type Conversation, type Extractor, MAX_REJECTED_FACTS } from "../extractor.ts";
import type { Doubt, FactRejection, ModelCall, ModelUsage } from "../model-call.ts";
import { type Believe, believe } from "./belief.ts";
import { partsOf } from "./conversation-parts.ts";
import { extractionPrompt } from "./extraction-prompt.ts";
import { askModel } from "./model-answer.ts";
import { readPart, readStatement } from "./part-reading.ts";
import type { StatedFact } from "./stated-facts.ts";
import { verify } from "./verification.ts";

/** Parts of one conversation that are read at the same time. */
export const MAX_PARTS_AT_ONCE = 24;

/** Of a conversation of which more is stated, the rest is not looked at. */
const MAX_STATED_FACTS = 2_000;

/**
 * Lets a chat model find the facts of a conversation, in parts where it is long (D27b),
 * and believes only those that the conversation bears out: without more ado where there
 * is no doubt, and by one more call about all that are in doubt.
 *
 * A fact is always a user's: what is in messages of the roles `system` and `tool`
 * nobody said, and an assistant's text may repeat memories that it was given, which
 * would come back as news. What a user confirms ("Do you still live in Oslo?",
 * "Yes") is a fact of the user's message.
 *
 * `decide` says what to believe, in this thread unless told otherwise.
 */
export function createChatExtractor(model: ChatModel, decide: Believe = believe): Extractor {
  return {
    provider: model.provider,
    model: model.model,
    async extract(conversation, call) {
      const usages: ModelUsage[] = [];
      let stated: readonly (StatedFact | null)[] = [];
      let doubts: readonly Doubt[] = [];
      let rejections: readonly FactRejection[] = [];
      try {
        stated = await readConversation(model, conversation, {
          ...call,
          report: (usage) => usages.push(usage),
        });
        if (stated.length === 0) return { facts: [], retractions: [], rejected: [] };
        const believed = await decide({ stated, conversation }, call);
        doubts = believed.facts.flatMap(({ doubted }) => doubted?.reason ?? []);
        rejections = believed.refused.map(({ reason }) => reason);
        const { facts, refused: unconfirmed } = await verify(model, believed.facts, call);
        const refused = [...believed.refused, ...unconfirmed];
        rejections = refused.map(({ reason }) => reason);
        const { retractions } = believed;
        return { facts, retractions, rejected: refused.slice(0, MAX_REJECTED_FACTS) };
      } finally {
        // What they cost counts, whatever came of it.
        const facts = { stated: stated.length, doubts, rejections };
        for (const [index, usage] of usages.entries()) {
          call.report?.(index === 0 ? { ...usage, facts } : usage);
        }
      }
    },
  };
}

/** What the model states, part by part, in the order of the conversation. */
async function readConversation(
  model: ChatModel,
  conversation: Conversation,
  call: ModelCall,
): Promise<readonly (StatedFact | null)[]> {
  const parts = await partsOf(conversation.messages, call.signal);
  const read = await mapConcurrently(
    parts,
    MAX_PARTS_AT_ONCE,
    (part, signal) =>
      readPart(part, async (asked) => {
        const ofPart = { ...call, signal };
        const prompt = extractionPrompt(asked, conversation);
        const ask = () => askModel("extract", model, prompt, ofPart, readStatement);
        return parts.length === 1 ? ask() : model.inTurn(ask, ofPart);
      }),
    call.signal,
  );
  return read.flat().slice(0, MAX_STATED_FACTS);
}
