import topics from "./topics.json" with { type: "json" };

const OTHER = { topic: "General", importanceScore: 5 };

/**
 * The topics that extraction assigns, each with what a fact of it weighs (1 to 10, 2.1) and the words
 * that tell it, parted by commas. The first that matches is taken, so what matters most stands first.
 * A trailing "*" stands for any ending.
 */
const MATCHERS = topics.map(({ topic, importance, words }) => {
  const pattern = words.join(", ").replaceAll(", ", "|").replaceAll("*", "[\\p{L}\\p{N}]*");
  return {
    topic: { topic, importanceScore: importance },
    pattern: new RegExp(`(?<![\\p{L}\\p{N}])(?:${pattern})(?![\\p{L}\\p{N}])`, "iu"),
  };
});

/** Topic and importance of a fact, from its words. */
export function topicOf(fact: string): typeof OTHER {
  return MATCHERS.find(({ pattern }) => pattern.test(fact))?.topic ?? OTHER;
}
