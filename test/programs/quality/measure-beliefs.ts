import { parseInstant } from "../../../src/domain/instant.ts";
import { believe } from "../../../src/providers/chat/belief.ts";
import { verify } from "../../../src/providers/chat/verification.ts";
import type { ChatModel } from "../../../src/providers/chat-model.ts";
import type { ModelCall } from "../../../src/providers/model-call.ts";
import { CALL } from "../../support/model-call.ts";
import type { LabelledBelief } from "./beliefs.ts";
import { asMessage } from "./measure.ts";

/** What became of facts that a model states. */
export interface BeliefRates {
  /** Facts that the conversation states, and how many of them were kept. */
  readonly good: number;
  readonly goodKept: number;
  /** Facts that it does not state, and how many were kept all the same. */
  readonly bad: number;
  readonly badKept: number;
  /** Facts that the conversation does not state and that nothing was doubted of: never asked about. */
  readonly badUndoubted: number;
  /** Facts that it states and that are refused unless they are confirmed. */
  readonly goodGrave: number;
  /** Facts, of both, that were in doubt. */
  readonly asked: number;
  /** One line for each mistake. */
  readonly mistakes: readonly string[];
}

/**
 * Who answers the second question: a model; no one (null), so that the check decides
 * alone; or the labels, so that what is left are mistakes about which nobody was asked.
 */
export type Asked = ChatModel | "labels" | null;

export async function measureBeliefs(
  asked: Asked,
  beliefs: readonly LabelledBelief[],
  call: ModelCall = CALL,
): Promise<BeliefRates> {
  const rates = {
    good: 0,
    goodKept: 0,
    goodGrave: 0,
    bad: 0,
    badKept: 0,
    badUndoubted: 0,
    asked: 0,
  };
  const mistakes: string[] = [];
  for (const { at, messages, stated, isStated } of beliefs) {
    const { fact, quote, message } = stated;
    const believed = await believe(
      {
        stated: [
          {
            fact,
            quote,
            messageIndex: message,
            topic: "General",
            importanceScore: 5,
            from: null,
            until: null,
            category: "",
            isRetraction: false,
          },
        ],
        conversation: {
          at: parseInstant(at) ?? 0n,
          messages: messages.map(asMessage),
          categories: [],
        },
      },
      call,
    );
    const model = asked === "labels" ? answering(isStated) : (asked ?? SILENT);
    const { facts, refused } = await verify(model, believed, call);
    const isKept = facts.length > 0;
    const [doubted] = believed.facts.flatMap(({ doubted }) => doubted ?? []);
    rates.asked += Number(doubted !== undefined);
    rates.goodGrave += Number(isStated && doubted?.isGrave === true);
    rates.badUndoubted += Number(!isStated && isKept && doubted === undefined);
    rates[isStated ? "good" : "bad"] += 1;
    rates[isStated ? "goodKept" : "badKept"] += Number(isKept);
    if (isKept !== isStated) {
      const [reason = "kept"] = [...believed.refused, ...refused].map(({ reason }) => reason);
      mistakes.push(`${reason}: ${quote} > ${fact}`);
    }
  }
  return { ...rates, mistakes };
}

const SILENT: ChatModel = {
  provider: "none",
  model: "silent",
  mayThinkAloud: false,
  inTurn: (work) => work(),
  complete: () => Promise.reject(new Error("this model answers nothing")),
  stream: () => Promise.reject(new Error("this model answers nothing")),
};

/** A model that says of every fact that it is stated, or that it is not. */
function answering(stated: boolean): ChatModel {
  const text = JSON.stringify({ stated: stated ? [1] : [], not_stated: stated ? [] : [1] });
  const tokens = { inputTokens: null, outputTokens: null };
  return {
    ...SILENT,
    model: "labels",
    complete: () =>
      Promise.resolve({ text, ...tokens, durationMs: 0, attempts: 1, isCutOff: false }),
  };
}
