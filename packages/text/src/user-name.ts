import { fold } from "./folding.ts";

const NAMING =
  /^(?:[Tt]he user's name is|[Tt]he user is (?:called|named)|[Tt]he user goes by|[Mm]y name is) (\p{Lu}[\p{L}\p{M}'’-]*(?: \p{Lu}[\p{L}\p{M}'’-]*){0,3})[.!]?$/u;

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
