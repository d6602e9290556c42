import { statementsOf } from "./attributes.ts";
import { clausesOf } from "./clause.ts";
import type { Statement } from "./statement.ts";

/** Everything that a short English text states. */
export function readStatements(text: string): Statement[] {
  return clausesOf(text).flatMap(statementsOf);
}
