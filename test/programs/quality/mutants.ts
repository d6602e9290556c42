import type { Mutant } from "../../support/mutants.ts";

/** Each makes the judgement worse in one respect, and what is measured has to tell. */
export const MUTANTS: readonly Mutant[] = [
  {
    name: "A quote in other words is refused",
    file: "src/providers/chat/grounding/question.ts",
    from: "found?.messageIndex ?? claim.messageIndex ?? -1",
    to: "found?.messageIndex ?? -1",
  },
  {
    name: "Nothing is asked about",
    file: "src/providers/chat/belief.ts",
    from: "read.isVerbatim(entry, messageIndex) ? null : question",
    to: "null",
  },
  {
    name: "What is no candidate by similarity is none",
    file: "src/domain/auto-supersession.ts",
    from: '["local/hashed-text-1", -0.02]',
    to: '["local/hashed-text-1", 0.6]',
  },
  {
    name: "The category gate knows no words",
    file: "src/domain/category-gate.ts",
    from: "hasShipped ? shippedCategoriesOf(topic, memory.decision) : new Set<string>()",
    to: "new Set<string>()",
  },
  {
    name: "No figure of speech is harmless",
    file: "src/domain/category-gate.ts",
    from: "hits.filter((hit) => !isHarmless(hit)).map(",
    to: "hits.map(",
  },
  {
    name: "Everything is near to a category",
    file: "src/domain/category-gate.ts",
    from: "similarity > bar && similarity > highest(ordinary, to)",
    to: "similarity > -bar",
  },
  {
    name: "The best of many stands out as the best of few does",
    file: "src/domain/relevance.ts",
    from: "ODDS.memories * Math.log(memories)",
    to: "ODDS.memories",
  },
];
