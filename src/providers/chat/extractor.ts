import { mapConcurrently } from "../../concurrency/bounds.ts";
import type { ChatModel } from "../chat-model.ts";
import {
  type Conversation,
  type Extractor,
  MAX_REJECTED_FACTS,
  type RejectedFact,
} from "../extractor.ts";
import { type FactRejection, type ModelCall, type ModelUsage, withinShare } from "../model-call.ts";
import { UpstreamError, type UpstreamProblem } from "../upstream/upstream-error.ts";
import { MAX_PARTS_AT_ONCE, partsOf, tokensOf } from "./conversation-parts.ts";
import { extractionPrompt, type StatedFact } from "./extraction-prompt.ts";
import { askModel, tooLate } from "./model-answer.ts";
import {
  type AskAbout,
  NothingRead,
  type PartRead,
  readPart,
  readStatedPart,
} from "./part-reading.ts";
import { verify } from "./verification.ts";

/** The share of the request's time: verification, embedding and classification follow. */
const SHARE_OF_TIME = 0.75;

/**
 * Lets a chat model find the facts of a conversation, in parts where it is long (D27b). It keeps
 * those that the conversation states, and asks again about what is not there word for word (D27a).
 *
 * A fact is always a user's. Nobody said the text of the roles `system` and `tool`, and an
 * assistant may repeat memories, which would come back as news. A confirmation ("Do you still live
 * in Oslo?", "Yes") is a fact of the user's message.
 *
 * Where the time of the request ends first, where the model or its vendor refuses a part or answers
 * it with what cannot be read, the other parts count, and the unread messages are named. Where the
 * model answers nothing at all, it is unavailable (D28).
 */
export function createChatExtractor(model: ChatModel): Extractor {
  return {
    provider: model.provider,
    model: model.model,
    async extract(conversation, call) {
      const usages: ModelUsage[] = [];
      let stated: readonly StatedFact[] = [];
      let asked = 0;
      let rejections: readonly FactRejection[] = [];
      try {
        const read = await readConversation(model, conversation, {
          ...call,
          report: (usage) => usages.push(usage),
        });
        stated = read.stated;
        const unread = Array.from(read.unread, ([messageIndex, reason]): RejectedFact => {
          return { fact: null, isRetraction: false, messageIndex, reason };
        });
        if (stated.length === 0) return { facts: [], retractions: [], rejected: unread };
        // Loaded when it is first used: most services call no chat model.
        const { believe } = await import("./belief.ts");
        const believed = await believe({ stated, conversation }, call);
        asked = believed.claims.filter(({ question }) => question !== null).length;
        rejections = believed.refused.map(({ reason }) => reason);
        const verified = await verify(model, believed.claims, conversation, call);
        const { facts, retractions } = verified;
        const refused = [...believed.refused, ...verified.refused];
        rejections = refused.map(({ reason }) => reason);
        return { facts, retractions, rejected: atMost([...unread, ...refused]) };
      } finally {
        // The cost counts, whatever the outcome.
        const facts = { stated: stated.length, asked, rejections };
        for (const [index, usage] of usages.entries()) {
          call.report?.(index === 0 ? { ...usage, facts } : usage);
        }
      }
    },
  };
}

/** The model's statements, part by part, in the order of the conversation. */
async function readConversation(
  model: ChatModel,
  conversation: Conversation,
  call: ModelCall,
): Promise<PartRead> {
  const parts = await partsOf(conversation.messages, call.signal);
  const time = withinShare(call, SHARE_OF_TIME);
  let hasAnswer = parts.length === 0;
  let failure: unknown = null;
  const ask: AskAbout = async (asked, signal) => {
    // Before a prompt is made: of a long conversation many parts are left then, all at once.
    if (time.aborted) throw new NothingRead("unread");
    const ofPart = { ...call, signal: AbortSignal.any([signal, time]) };
    const prompt = extractionPrompt(asked, conversation);
    const askOnce = () => askModel("extract", model, prompt, ofPart, readStatedPart);
    const complete = async () => {
      // Also one that cannot be read: a model seldom errs twice.
      const first = await askOnce().catch((error: unknown) => {
        const isUnread = error instanceof NothingRead && error.notRead === "unread";
        if (isUnread || problemOf(error)?.kind === "unusable") return null;
        throw error;
      });
      const statement = first ?? (await askOnce());
      if (statement === null) throw new NothingRead("unread");
      return statement;
    };
    const isAlone = parts.length === 1 && !hasAnswer;
    try {
      const statement = await (isAlone ? complete() : model.inTurn(complete, ofPart));
      hasAnswer = true;
      return statement;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NothingRead) hasAnswer = true;
      else if (isOfPart(error)) failure = error;
      else if (!time.aborted) throw error;
      throw error instanceof NothingRead ? error : new NothingRead("unread");
    }
  };
  // The longest part first, so that no long part remains alone at the end.
  const longestFirst = parts
    .map((part, index) => ({ part, index, tokens: tokensOf(part.pieces) }))
    .toSorted((a, b) => b.tokens - a.tokens);
  const readParts = await mapConcurrently(
    longestFirst,
    MAX_PARTS_AT_ONCE,
    async ({ part, index }, signal) => ({ index, ...(await readPart(part, ask, signal)) }),
    call.signal,
  );
  if (!hasAnswer) throw failure ?? tooLate();
  const read = readParts.toSorted((a, b) => a.index - b.index);
  return {
    stated: read.flatMap(({ stated }) => stated),
    unread: new Map(read.flatMap(({ unread }) => [...unread])),
  };
}

/** As many as a response has; of further ones each message is named once, without their texts. */
function atMost(rejected: readonly RejectedFact[]): readonly RejectedFact[] {
  if (rejected.length <= MAX_REJECTED_FACTS) return rejected;
  const messages = new Set(rejected.map(({ messageIndex }) => messageIndex)).size;
  const told = rejected.slice(0, MAX_REJECTED_FACTS - messages);
  const others = rejected.slice(told.length).map((each) => ({ ...each, fact: null }));
  return [...told, ...new Map(others.map((each) => [each.messageIndex, each])).values()];
}

/** Whether a call failed for what was asked, so that other parts may be answered. */
function isOfPart(error: unknown): boolean {
  const problem = problemOf(error);
  return problem?.kind === "unusable" || (problem?.kind === "refused" && problem.status === 400);
}

function problemOf(error: unknown): UpstreamProblem | null {
  const cause = error instanceof Error ? error.cause : null;
  return cause instanceof UpstreamError ? cause.problem : null;
}
