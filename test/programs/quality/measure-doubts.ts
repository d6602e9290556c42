import { parseInstant } from "../../../src/domain/instant.ts";
import { doubtsAbout } from "../../../src/providers/chat/grounding/doubts.ts";
import { readConversation } from "../../../src/providers/chat/grounding/evidence.ts";
import { contentWords, indexWords } from "../../../src/providers/chat/grounding/words.ts";
import { sentencesOf } from "../../../src/providers/text/sentences.ts";
import type { LabelledConversation } from "./conversations.ts";
import { OTHER_WORDING } from "./match-facts.ts";
import { asMessage } from "./measure.ts";

export interface DoubtRates {
  /** The facts that ordinary conversations state. */
  readonly facts: number;
  /** Of these, how many a second call would be asked about. */
  readonly doubted: number;
  /** One line for each. */
  readonly mistakes: readonly string[];
}

/** How much is doubted of what people ordinarily say, quoted by the sentence that says it. */
export function measureDoubts(conversations: readonly LabelledConversation[]): DoubtRates {
  const mistakes: string[] = [];
  let facts = 0;
  for (const { at, messages, facts: expected } of conversations) {
    const said = messages.map(asMessage);
    const read = readConversation({ messages: said, at: parseInstant(at) ?? 0n });
    for (const wordings of expected) {
      facts += 1;
      const doubts = wordings.split(OTHER_WORDING).map((fact) => {
        const { grave, mild } = doubtsAbout({ fact, ...sentenceFor(fact, said) }, read);
        return [...grave, ...mild];
      });
      if (!doubts.some((each) => each.length === 0)) mistakes.push(`${doubts[0]}: ${wordings}`);
    }
  }
  return { facts, doubted: mistakes.length, mistakes };
}

/** The user's sentence that shares the most words with a fact. */
function sentenceFor(fact: string, messages: readonly ReturnType<typeof asMessage>[]) {
  const wanted = contentWords(fact);
  let best = { quote: "", messageIndex: 0, shared: -1 };
  for (const [messageIndex, { role, content }] of messages.entries()) {
    if (role !== "user") continue;
    for (const { text: quote } of sentencesOf(content)) {
      const { has } = indexWords(quote);
      const shared = wanted.filter(has).length;
      if (shared > best.shared) best = { quote, messageIndex, shared };
    }
  }
  return best;
}
