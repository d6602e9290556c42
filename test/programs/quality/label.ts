import type { LabelledConversation } from "./conversations.ts";
import { OTHER_WORDING } from "./match-facts.ts";

// A Tuesday, a Saturday, a Thursday and a Monday.
const SPRING = "2026-04-21T09:00:00Z";
const SUMMER = "2026-07-18T12:45:00Z";
const AUTUMN = "2026-10-15T16:30:00Z";
const WINTER = "2027-02-01T08:15:00Z";

export function spring(messages: readonly string[], facts: readonly string[] = []) {
  return { at: SPRING, messages, facts } satisfies LabelledConversation;
}

export function summer(messages: readonly string[], facts: readonly string[] = []) {
  return { at: SUMMER, messages, facts } satisfies LabelledConversation;
}

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

/** A fact of someone who belongs to the user, by what they are to them, by name, or by both. */
export function relative(role: string, name: string, what: string): string {
  const subjects = [`The user's ${role} ${name}`, `The user's ${role}`, name];
  return subjects.map((subject) => `${subject} ${what}`).join(OTHER_WORDING);
}

/** A fact of a thing of the user's, with and without whose it is. */
export function ours(fact: string): string {
  return [`The user's ${fact}`, `The ${fact}`].join(OTHER_WORDING);
}

/** Facts of a message without capitals: names may stay as they were typed. */
export function typed(facts: readonly string[]): string[] {
  return facts.map((fact) => alsoAs(fact, (wording) => wording.toLowerCase()));
}

function alsoAs(fact: string, reword: (wording: string) => string): string {
  const wordings = fact.split(OTHER_WORDING);
  return [...new Set([...wordings, ...wordings.map(reword)])].join(OTHER_WORDING);
}
