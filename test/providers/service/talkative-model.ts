import type { FakePrompt } from "../../support/fake-upstream.ts";

/**
 * What a good model says to the service's prompts, in the little world of these
 * tests: every message of a user is one fact as it stands, a new fact replaces the
 * first older one, and the first memory answers every question.
 */
export function talkativeModel({ user, schema }: FakePrompt): string {
  const lines: Record<string, unknown>[] = user.split("\n").map((line) => JSON.parse(line));
  if (schema?.properties.facts !== undefined) {
    const facts = lines
      .filter(({ role }) => role === "user")
      .map(({ message, text }) => ({
        message,
        quote: text,
        fact: text,
        topic: "Location",
        importance: 6,
      }));
    return JSON.stringify({ facts });
  }
  if (schema !== null) {
    return JSON.stringify({
      reason: "A newer value of the same attribute.",
      verdict: "replaces",
      target: 1,
      confidence: 0.97,
    });
  }
  return `${lines[0]?.text} [mem-${lines[0]?.memory}].`;
}
