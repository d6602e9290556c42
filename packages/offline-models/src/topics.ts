import topics from "./topics.json" with { type: "json" };

const OTHER = { topic: "General", importanceScore: 5 };

/** Each topic with its weight (1 to 10, 2.1) and its words, what matters most first; a trailing "*" is any ending. */
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
