import type { ServiceImpl } from "@connectrpc/connect";
import type { KnownValueService } from "../../../../gen/agentmemory/dashboard/v1/known_value_service_pb.ts";
import { invalidField } from "../../../domain/failure.ts";
import {
  KNOWN_VALUE_FIELDS,
  type KnownValueField,
  MAX_KNOWN_VALUE_PREFIX_CHARACTERS,
} from "../../../domain/known-values.ts";
import type { ServiceContext } from "../../../service/context.ts";
import { listKnownValues } from "../../../service/known-values.ts";
import { callerOf } from "../call.ts";
import { readOptionalLabel } from "../fields.ts";
import { readTenantId } from "../memory-queries.ts";

/** The handler of the dashboard's KnownValueService. */
export function createKnownValueService(
  context: ServiceContext,
): ServiceImpl<typeof KnownValueService> {
  return {
    async listKnownValues(request, call) {
      const prefix = readOptionalLabel(
        "prefix",
        request.prefix || undefined,
        MAX_KNOWN_VALUE_PREFIX_CHARACTERS,
      );
      const query = {
        field: readField(request.field),
        prefix: prefix ?? "",
        tenantId: readTenantId(request),
      };
      return { values: await listKnownValues(context, callerOf(call), query) };
    },
  };
}

function readField(value: string): KnownValueField {
  const field = KNOWN_VALUE_FIELDS.find((each) => each === value);
  if (field === undefined) {
    throw invalidField("field", `must be one of ${KNOWN_VALUE_FIELDS.join(", ")}`);
  }
  return field;
}
