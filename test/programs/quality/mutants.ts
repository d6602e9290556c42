import type { Mutant } from "../../support/mutants.ts";

const DOUBTS = "src/providers/chat/grounding/doubts.ts";

/** Each makes the judgement worse in one respect, and what is measured has to tell. */
export const MUTANTS: readonly Mutant[] = [
  doubtLess("negation"),
  doubtLess("modality"),
  doubtLess("subject"),
  doubtLess("dates"),
  doubtLess("numbers"),
  doubtLess("names"),
  doubtLess("words"),
  doubtLess("answer"),
  doubtLess("instruction"),
  {
    name: "Whose something is is never asked",
    file: "src/providers/chat/grounding/subject-doubt.ts",
    from: "const whose = possession(context);",
    to: "const whose = null as ReturnType<typeof possession>;",
  },
  {
    name: "What others say is what the user says",
    file: "src/providers/chat/grounding/subject-doubt.ts",
    from: ", hearsay(context));",
    to: ", null);",
  },
  {
    name: "What was nearly done was done",
    file: "src/providers/chat/grounding/negation-doubt.ts",
    from: "if (undone !== null) return undone;",
    to: "",
  },
  {
    name: "No text is given to work on",
    file: "src/providers/chat/grounding/instruction-doubt.ts",
    from: ": givenText(context);",
    to: ": null;",
  },
  {
    name: "Every doubt is grave",
    file: "src/providers/chat/belief.ts",
    from: "const isGrave = grave.length > 0 ||",
    to: "const isGrave = true ||",
  },
  {
    name: "No doubt is grave",
    file: "src/providers/chat/belief.ts",
    from: "const isGrave = grave.length > 0 ||",
    to: "const isGrave = false &&",
  },
  {
    name: "What is no candidate by similarity is none",
    file: "src/domain/candidate-bar.ts",
    from: '["local/hashed-text-1", -0.02]',
    to: '["local/hashed-text-1", 0.6]',
  },
  {
    name: "The category gate knows no words",
    file: "src/domain/category-gate.ts",
    from: "hasShipped ? shippedCategoriesOf(topic, memory.decision) : NONE",
    to: "NONE",
  },
  {
    name: "No figure of speech is harmless",
    file: "src/domain/category-lexicon.ts",
    from: "if (!isCovered && !(here & HARMLESS)) found |= here;",
    to: "found |= here;",
  },
  {
    name: "Everything is near to a category",
    file: "src/domain/category-nearness.ts",
    from: "> toExceed",
    to: "> -toExceed",
  },
  {
    name: "The best of many stands out as the best of few does",
    file: "src/domain/relevance.ts",
    from: "PER_SCORE * (best.score - byChance)",
    to: "PER_SCORE * best.score",
  },
];

/** A check that one thing is never doubted in. */
function doubtLess(doubt: string): Mutant {
  return {
    name: `A fact is never doubted for its ${doubt}`,
    file: DOUBTS,
    from: `["${doubt}", ${doubt}(context)],`,
    to: "",
  };
}
