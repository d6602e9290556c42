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

/** The same attribute under the user's other name: `bob|home` of `user|home`. null: it is not the user's. */
export function attributeUnderOtherName(attribute: string | null, name: string): string | null {
  const nameKey = `${fold(name)}|`;
  if (attribute?.startsWith(USER_KEY)) return nameKey + attribute.slice(USER_KEY.length);
  if (attribute?.startsWith(nameKey)) return USER_KEY + attribute.slice(nameKey.length);
  return null;
}
