import type { LabelledConversation } from "../conversations.ts";
import { OTHER_WORDING } from "../match-facts.ts";

// A Thursday and a Monday.
const AUTUMN = "2026-10-15T16:30:00Z";
const WINTER = "2027-02-01T08:15:00Z";

export function autumn(messages: readonly string[], facts: readonly string[] = []) {
  return { at: AUTUMN, messages, facts } satisfies LabelledConversation;
}

export function winter(messages: readonly string[], facts: readonly string[] = []) {
  return { at: WINTER, messages, facts } satisfies LabelledConversation;
}

/** Facts of a user who gives their name: about them under that name, or as "The user". */
export function named(name: string, facts: readonly string[]): string[] {
  return [
    `The user's name is ${name} || The user goes by ${name} || The user is ${name} || The user is called ${name}`,
    ...facts.map((fact) => alsoAs(fact, (wording) => wording.replace(/\bthe user\b/giu, name))),
  ];
}

/** Facts of a message without capitals: names may stay as they were typed. */
export function typed(facts: readonly string[]): string[] {
  return facts.map((fact) => alsoAs(fact, (wording) => wording.toLowerCase()));
}

function alsoAs(fact: string, reword: (wording: string) => string): string {
  const wordings = fact.split(OTHER_WORDING);
  return [...new Set([...wordings, ...wordings.map(reword)])].join(OTHER_WORDING);
}
