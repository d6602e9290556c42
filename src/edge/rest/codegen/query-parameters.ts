import type { DescMessage, DescMethod } from "@bufbuild/protobuf";
import type { QueryParameter } from "../route.ts";
import { GenerationError } from "./generation-error.ts";
import { parameterTypeOf } from "./parameter-type.ts";

/**
 * The query parameters of an RPC: every field that neither the path nor the body
 * takes. Fields of nested messages have dotted names.
 *
 * Throws a GenerationError for a field that text cannot express, since the field
 * would be out of the caller's reach.
 */
export function queryParametersOf(
  rpc: DescMethod,
  takenElsewhere: ReadonlySet<string>,
): QueryParameter[] {
  const parameters: QueryParameter[] = [];

  function expand(message: DescMessage, prefix: string, ancestors: readonly DescMessage[]): void {
    for (const field of message.fields) {
      const name = prefix + field.name;
      if (takenElsewhere.has(name)) continue;
      const type = parameterTypeOf(field);
      if (type !== null) {
        parameters.push({ name, type, repeated: field.fieldKind === "list" });
        continue;
      }
      if (field.fieldKind !== "message" || field.message.file.proto.package === "google.protobuf") {
        throw new GenerationError(rpc, `the field "${name}" cannot be a query parameter`);
      }
      if (ancestors.includes(field.message)) {
        throw new GenerationError(rpc, `the query parameter "${name}" repeats without end`);
      }
      expand(field.message, `${name}.`, [...ancestors, field.message]);
    }
  }

  expand(rpc.input, "", [rpc.input]);
  return parameters;
}
