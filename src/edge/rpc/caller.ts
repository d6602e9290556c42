import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import type { Caller } from "../../service/context.ts";

/** Where the gate leaves the caller for the handlers. */
export const callerKey = createContextKey<Caller | null>(null, {
  description: "who calls",
});

/** The caller that the gate admitted. */
export function callerOf(context: HandlerContext): Caller {
  const caller = context.values.get(callerKey);
  if (caller === null) throw new Error("a handler ran without the gate");
  return caller;
}
