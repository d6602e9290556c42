import { fold } from "@agent-memory/text";

/** The attribute of a memory that gives the user's name. */
export const USER_NAME_ATTRIBUTE = "user|name";

const USER_KEY = "user|";

/** "Bob lives in Rome" as "The user lives in Rome", where the user is Bob; other facts as they are. */
export function asTheUser(decision: string, name: string): string {
  const rest = decision.slice(name.length);
  const isOfUser = decision.startsWith(name) && /^(?:['’]s)?\s/u.test(rest);
  return isOfUser ? `The user${rest}` : decision;
}

/**
 * An attribute as memories may have it: what is the user's has two where a name of the user
 * is known, `user|home` and `bob|home`. None where there is no attribute.
 */
export function attributesUnderNames(attribute: string | null, name: string | null): string[] {
  if (attribute === null) return [];
  if (name === null) return [attribute];
  const nameKey = `${fold(name)}|`;
  const [known, other] = attribute.startsWith(USER_KEY) ? [USER_KEY, nameKey] : [nameKey, USER_KEY];
  if (!attribute.startsWith(known)) return [attribute];
  return [attribute, other + attribute.slice(known.length)];
}
