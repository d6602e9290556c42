import { fold } from "@agent-memory/text";

/** Topics are equal whatever their case and whether `_`, `-` or spaces part their words. */
export function topicKey(topic: string): string {
  return fold(topic)
    .replace(/[\s_-]+/gu, " ")
    .trim();
}
