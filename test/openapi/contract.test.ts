/** What the document tells is what the protos say in words, and what the service checks. */
import { type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { RPC_FAILURES } from "../../.ci/openapi/failures.ts";
import { file_agentmemory_v1_memory_service as memoryService } from "../../gen/agentmemory/v1/memory_service_pb.ts";
import { file_agentmemory_v1_plan_service as planService } from "../../gen/agentmemory/v1/plan_service_pb.ts";
import { file_agentmemory_v1_settings_service as settingsService } from "../../gen/agentmemory/v1/settings_service_pb.ts";
import { type FieldRules, rules } from "../../gen/transcoding/v1/options_pb.ts";
import { FAILURE_STATUS } from "../../src/edge/error-mapping.ts";
import { operationsOf, readDocument, type Schema } from "../support/openapi-document.ts";

const document = readDocument();
const operations = operationsOf(document);

test("D8: the limits and defaults of requests are those that callers know", async () => {
  const requests = [memoryService, settingsService, planService]
    .flatMap(({ messages }) => messages)
    .filter(({ name }) => name.endsWith("Request"));
  const lines = [...withNested(requests)]
    .flatMap(limitsOf)
    .map(([field, limit]) => `${field} ${JSON.stringify(limit)}\n`);
  await expect(lines.toSorted().join("")).toMatchFileSnapshot("../golden/limits.txt");
});

test("a field is required, or may be null, where its comment says so", () => {
  const { schemas } = document.components;
  const bodies = bodySchemas();
  const isRequest = new Set(bodies);
  for (const [name, { properties = {}, required = [] }] of Object.entries(schemas)) {
    for (const [property, schema] of Object.entries(properties)) {
      const at = `${name}.${property}`;
      const { description = "" } = schema;
      if (name === "Error") continue;
      if (isRequest.has(name)) {
        expect([at, required.includes(property)]).toEqual([
          at,
          description.startsWith("Required."),
        ]);
      } else {
        expect([at, mayBeNull(schema)]).toEqual([at, description.includes("Unset (null)")]);
        expect(required, at).toContain(property);
      }
    }
  }
});

test("D7: unknown fields are refused in every body", () => {
  const bodies = bodySchemas();
  expect(bodies).not.toEqual([]);
  for (const name of bodies) {
    const { additionalProperties, oneOf = [] } = document.components.schemas[name] ?? {};
    // Of one that is this or that, each of them refuses.
    const isChoice = oneOf.length > 0 && oneOf.every(({ $ref }) => $ref !== undefined);
    expect([name, isChoice || additionalProperties === false]).toEqual([name, true]);
  }
});

test.each(operations)("D13a: the reasons of $operation.operationId", ({ operation }) => {
  const { operationId, description, responses } = operation;
  const [, errors = ""] = description.split("Errors:");
  const inComment = Object.keys(FAILURE_STATUS).filter(
    (reason) => reason !== "invalid_field" && new RegExp(`\\b${reason}\\b`).test(errors),
  );
  const { more = [] } = RPC_FAILURES[operationId] ?? {};
  expect(new Set(more)).toEqual(new Set(inComment));
  for (const reason of more) {
    const answer = responses[FAILURE_STATUS[reason].http];
    expect(JSON.stringify(answer), reason).toContain(`"${reason}"`);
  }
});

/** The names of the schemas of request bodies, and of what is in them. */
function bodySchemas(): string[] {
  return operations.flatMap(({ operation: { requestBody } }) =>
    Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      reachable(schema.contentSchema ?? schema),
    ),
  );
}

/** What a field's option limits, by the name of the field. */
function limitsOf(message: DescMessage): [string, Partial<FieldRules> & { default?: unknown }][] {
  return message.fields.flatMap((field) => {
    const found = limitsOfField(field);
    return Object.keys(found).length === 0 ? [] : [[`${message.name}.${field.name}`, found]];
  });
}

function limitsOfField(field: DescField) {
  const of = getOption(field, rules);
  const { minLength, maxLength, maxBytes, minimum, maximum, maxItems, maxKeyLength } = of;
  const lengths = { minLength, maxLength, maxBytes, maxItems, maxKeyLength };
  const numbers = Object.entries({ ...lengths, minimum, maximum });
  return {
    ...Object.fromEntries(numbers.filter(([, value]) => value !== undefined)),
    ...(of.words.length > 0 && { words: of.words }),
    ...(of.defaultJson !== "" && { default: JSON.parse(of.defaultJson) }),
  };
}

/** These messages and those in their fields. */
function withNested(
  messages: readonly DescMessage[],
  known = new Set<DescMessage>(),
): Set<DescMessage> {
  for (const message of messages) {
    if (known.has(message)) continue;
    known.add(message);
    withNested(
      message.fields.flatMap((field) => field.message ?? []),
      known,
    );
  }
  return known;
}

function mayBeNull({ type, anyOf = [] }: Schema): boolean {
  return [type].flat().includes("null") || anyOf.some((each) => each.type === "null");
}

/** The names of the schemas that a schema refers to, at any depth. */
function reachable(schema: Schema, known = new Set<string>()): string[] {
  for (const [, name = ""] of JSON.stringify(schema).matchAll(/#\/components\/schemas\/(\w+)/g)) {
    const next = document.components.schemas[name];
    if (known.has(name) || next === undefined) continue;
    known.add(name);
    reachable(next, known);
  }
  return [...known];
}
