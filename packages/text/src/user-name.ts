import { fold } from "./folding.ts";

/** The attribute of a memory that gives the user's name. */
export const USER_NAME_ATTRIBUTE = "user|name";

const NAMING =
  /^(?:[Tt]he user's name is|[Tt]he user is (?:called|named)|[Tt]he user goes by|[Mm]y name is) (\p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*){0,3})[.!]?$/u;
const USER_KEY = "user|";

/**
 * The one name that memories give the user ("The user's name is Bob"); null: they give none,
 * or several, of which nobody knows whose they are.
 */
export function userNameIn(decisions: readonly string[]): string | null {
  const names = new Map(
    decisions.flatMap((decision) => {
      const [, name] = NAMING.exec(decision.trim()) ?? [];
      return name === undefined ? [] : [[fold(name), name] as const];
    }),
  );
  const [name = null, ...others] = names.values();
  return others.length === 0 ? name : null;
}

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
