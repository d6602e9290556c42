import { parseInstant } from "../../../src/domain/instant.ts";
import { believe } from "../../../src/providers/chat/belief.ts";
import { verify } from "../../../src/providers/chat/verification.ts";
import type { ChatModel } from "../../../src/providers/chat-model.ts";
import type { FactRejection, ModelCall } from "../../../src/providers/model-call.ts";
import { CALL } from "../../support/model-call.ts";
import type { Random } from "../histories/random.ts";
import type { LabelledBelief } from "./beliefs.ts";
import { asMessage } from "./measure.ts";

/** Facts of one kind of label, the stated or the others. */
export interface LabelCounts {
  facts: number;
  /** Those that were believed. */
  kept: number;
  /** Those that the verifier was asked about. */
  asked: number;
  /** Those in the list of what was not believed, by their reasons. */
  readonly rejected: Map<FactRejection, number>;
}

/** What a verifier makes of the labelled facts of one part. */
export interface VerifierRates {
  /** Facts that their conversation states. */
  readonly stated: LabelCounts;
  /** Facts that it does not state. */
  readonly unstated: LabelCounts;
  /** One line for each mistake. */
  readonly mistakes: readonly string[];
}

/** Gives the verifier of a fact, which may know its label. */
export type VerifierOf = (isStated: boolean) => ChatModel;

/** Has every labelled fact verified that is not believed or refused at once, each by a call of its own. */
export async function measureVerifier(
  verifierOf: VerifierOf,
  beliefs: readonly LabelledBelief[],
  call: ModelCall = CALL,
): Promise<VerifierRates> {
  const rates = { stated: noCounts(), unstated: noCounts() };
  const mistakes: string[] = [];
  for (const { at, messages, stated, isStated } of beliefs) {
    const { fact, quote, message } = stated;
    const counts = isStated ? rates.stated : rates.unstated;
    const conversation = {
      at: parseInstant(at) ?? 0n,
      messages: messages.map(asMessage),
      categories: [],
    };
    const entry = {
      fact,
      quote,
      messageIndex: message,
      topic: "General",
      importanceScore: 5,
      from: null,
      until: null,
      category: "",
      isRetraction: false,
    };
    const believed = await believe({ stated: [entry], conversation }, call);
    const verified = await verify(verifierOf(isStated), believed.claims, conversation, call);
    counts.facts += 1;
    counts.kept += verified.facts.length;
    counts.asked += believed.claims.filter(({ question }) => question !== null).length;
    const refused = [...believed.refused, ...verified.refused].map(({ reason }) => reason);
    for (const reason of refused) {
      counts.rejected.set(reason, (counts.rejected.get(reason) ?? 0) + 1);
    }
    const isKept = verified.facts.length > 0;
    if (isKept !== isStated) mistakes.push(`${refused[0] ?? "kept"}: ${quote} > ${fact}`);
  }
  return { ...rates, mistakes };
}

function noCounts(): LabelCounts {
  return { facts: 0, kept: 0, asked: 0, rejected: new Map() };
}

/** A verifier that answers with the label, and with its opposite as often as `errorRate` says. */
export function simulatedVerifier(errorRate: number, random: Random): VerifierOf {
  return (isStated) => {
    const complete = () => {
      const says = random.chance(errorRate) ? !isStated : isStated;
      return Promise.resolve({
        text: says ? '{"stated": [1]}' : '{"not_stated": [1]}',
        isCutOff: false,
        isRefused: false,
        inputTokens: null,
        outputTokens: null,
        attempts: 1,
        durationMs: 0,
      });
    };
    return {
      provider: "none",
      model: "labels",
      mayThinkAloud: false,
      inTurn: (work) => work(),
      complete,
    };
  };
}
