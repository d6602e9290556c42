import type { DescMethod } from "@bufbuild/protobuf";
import { fieldOf, responseTypeOf } from "../../json/field.ts";
import { JSON_LINES_TYPE } from "../../route.ts";
import { eventsOf } from "../../stream-response.ts";
import type { RouteDescription } from "../bind-route.ts";
import { valueSchema } from "./field-schema.ts";
import type { JsonSchema } from "./json-schema.ts";
import type { MessageSchemas } from "./message-schemas.ts";
import { ERROR } from "./responses.ts";

/** The content of a successful response, by media type. Ask for all responses before the operations. */
export function responseContent(
  rpc: DescMethod,
  route: RouteDescription,
  schemas: MessageSchemas,
): JsonSchema {
  switch (route.format) {
    case "json":
      return { "application/json": { schema: responseSchema(rpc, route, schemas) } };
    case "ndjson":
      return linesContent(responseSchema(rpc, route, schemas));
    case "event_stream":
      return eventsContent(rpc, schemas);
  }
}

/** A stream of events: a text, whose content is events in their order. */
export function eventsContent({ output }: DescMethod, schemas: MessageSchemas): JsonSchema {
  const events = eventsOf(output).arms.map(({ name, message }) =>
    eventSchema(name, schemas.response(message)),
  );
  const description = "Server-sent events; the data of each is JSON on one line.";
  const event = { oneOf: [...events, eventSchema("error", ERROR)] };
  return streamContent("text/event-stream", description, event);
}

function linesContent(line: JsonSchema): JsonSchema {
  const description =
    "One object of JSON a line. A last line with the member `error` says why the others are not all.";
  const failed = { type: "object", properties: { error: ERROR }, required: ["error"] };
  return streamContent(JSON_LINES_TYPE, description, { anyOf: [line, failed] });
}

/** A stream of items of that schema: a text, in which they come in order. */
export function streamContent(type: string, description: string, items: JsonSchema): JsonSchema {
  const contentSchema = { type: "array", items };
  return {
    [type]: { schema: { type: "string", description, contentMediaType: type, contentSchema } },
  };
}

function eventSchema(name: string, data: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: {
      event: { const: name },
      data: { type: "string", contentMediaType: "application/json", contentSchema: data },
    },
    required: ["event", "data"],
  };
}

function responseSchema(
  rpc: DescMethod,
  { responseBody }: RouteDescription,
  schemas: MessageSchemas,
): JsonSchema {
  if (responseBody === null) return schemas.response(rpc.output);
  const field = fieldOf(rpc.output, responseBody);
  const type = responseTypeOf(field);
  return valueSchema(field, typeof type === "string" ? type : schemas.response(type));
}
