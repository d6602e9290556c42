/** What the document does not allow in a request the service refuses, and what it just allows it takes. */
import { v7 as uuidv7 } from "uuid";
import { beforeAll, describe, expect } from "vitest";
import {
  type Operation,
  operationsOf,
  type Parameter,
  readDocument,
  type Schema,
} from "../support/openapi-document.ts";
import type { RestAnswer } from "../support/rest-client.ts";
import type { TestAccount } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";

type Json = Readonly<Record<string, unknown>>;

const document = readDocument();
const operations = operationsOf(document);

const message = { role: "user", content: "hi" };
const fact = { content: "Ada lives in Paris" };
const llm = { provider: "openai", model: "a", api_key: "b", base_url: "http://not-allowed.test" };
const ID = "019a2f6e-4c1b-7d30-9a51-6f0e8b2c4d17";

const JSON_LINES = "application/x-ndjson";
const FORMAT = { format: "agent-memory", version: 1 };
const NOW = "2026-05-04T03:02:01Z";
const extraction = { provider: "local", model: "a", byo_llm: false };
const provenance = { mode: "messages", original_message: "a", message_index: 0, extraction };
const created = { event: "created", at: NOW, actor: ID, detail: {} };

/** By operation, or by the form of its body: a body that each field is put into. */
const BODIES: Readonly<Record<string, Json>> = {
  CreateMemory: { content: "Ada lives in Paris" },
  CreateMemoriesFromConversation: { messages: [message] },
  BatchCreateMemories: { memories: [fact] },
  // The line behind the format.
  ImportMemories: {
    id: uuidv7(),
    decision: "Ada lives in Paris",
    summary: "Ada lives in Paris",
    topic: "General",
    importance_score: 5,
    source: "agent",
    created_at: NOW,
    valid_from: NOW,
    stated_at: NOW,
    provenance,
    history: [created],
  },
  SearchMemories: { question: "Where does Ada live?" },
  GetContextForQuestion: { question: "Where does Ada live?" },
  GetContextForConversation: { messages: [message] },
  QueryMemories: { question: "Where does Ada live?" },
  SupersedeByMemory: { superseded_by: uuidv7() },
  SupersedeWithoutReplacement: { valid_to: NOW },
  UpdateSettings: {},
};
/** Objects in fields, whose own fields are tried in them. */
const INSIDE: Readonly<Record<string, Json>> = {
  ChatMessage: message,
  NewMemory: fact,
  CallerModel: llm,
  ExportedProvenanceInput: provenance,
  ExtractionModelInput: extraction,
  SpanInput: { start: 0, end: 1 },
  AuditEventInput: created,
};

/** A value of a field, and whether the document allows it. */
interface Trial {
  readonly what: string;
  /** Where in the field the value under trial stands: "", ".model", "[0]". */
  readonly at: string;
  readonly value: unknown;
  readonly isAllowed: boolean;
  /** Its type is wrong, which a parameter has none of. */
  readonly isMistyped?: boolean;
}

let account: TestAccount;
serviceTest.beforeAll(async ({ sharedService }) => {
  account = await sharedService.createAccount();
});

describe("bodies", () => {
  const bodies = operations.flatMap((each) =>
    formsOf(each.operation).map((form) => ({ ...each, ...form })),
  );
  beforeAll(() =>
    expect(bodies.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(BODIES))),
  );

  serviceTest.for(bodies)("D8: fields of $name", async ({ name, method, path, type, schema }) => {
    const isLines = type === JSON_LINES;
    const base = BODIES[name] ?? {};
    const send = (body: Json) =>
      account.rest(method.toUpperCase(), path.replace("{memory_id}", ID), {
        body: isLines ? `${JSON.stringify(FORMAT)}\n${JSON.stringify(body)}` : body,
        headers: { "content-type": type },
      });
    const wrong: unknown[] = [];
    for (const [field, ofField] of Object.entries(schema.properties ?? {})) {
      for (const { what, at, value, isAllowed } of trialsOf(ofField)) {
        const answer = await send({ ...base, [field]: value });
        // Without what makes it of its form, a request is refused for another reason.
        const isAsTold =
          what === "null" && at === ""
            ? isError(answer)
            : isRefused(answer, field + at) !== isAllowed;
        if (!isAsTold) {
          wrong.push([field + at, what, answer.body]);
        }
      }
    }
    const unknown = await send({ ...base, another: 1 });
    if (!isRefused(unknown, "another")) wrong.push(["another", unknown.body]);
    for (const field of schema.required ?? []) {
      const { [field]: _, ...without } = base;
      const answer = await send(without);
      if (!isError(answer)) wrong.push([field, "left out", answer.body]);
    }
    expect(wrong).toEqual([]);
  });
});

/** The forms of the body of an operation. */
function formsOf({ operationId, requestBody }: Operation) {
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || content === undefined) return [];
  // Of a file, the line behind the first.
  const [, line] = resolved(content.schema.contentSchema?.items ?? {}).oneOf ?? [];
  const body = line ?? content.schema;
  const forms = resolved(body).oneOf;
  if (forms === undefined) return [{ name: operationId, type, schema: resolved(body) }];
  return forms.map((form) => ({
    name: form.$ref?.split("/").at(-1) ?? "",
    type,
    schema: resolved(form),
  }));
}

describe("parameters", () => {
  const queries = operations.flatMap((each) =>
    parametersOf(each.operation, "query").map((parameter) => ({ ...each, parameter })),
  );
  serviceTest.for(queries)("D8: `$parameter.name` of $operation.operationId", async (each) => {
    const { name, schema } = each.parameter;
    const wrong: unknown[] = [];
    // A text is a text whatever it looks like.
    const trials = trialsOf(schema).filter((trial) => isText(trial) || isMapOfTexts(trial));
    for (const { what, value, isAllowed } of trials) {
      const query =
        typeof value === "object" && value !== null
          ? Object.fromEntries(
              Object.entries(value).map(([key, text]) => [`${name}[${key}]`, text]),
            )
          : { [name]: String(value) };
      // Only a tenant can be narrowed (D43).
      const isNarrowed = each.operation.operationId === "DeleteMemories" && name !== "tenant_id";
      const answer = await account.rest(each.method.toUpperCase(), each.path, {
        query: isNarrowed ? { tenant_id: "limits", ...query } : query,
      });
      if (isRefused(answer, name) === isAllowed) wrong.push([what, answer.body]);
    }
    expect(wrong).toEqual([]);
  });

  const headers = operations.flatMap((each) =>
    parametersOf(each.operation, "header").map((parameter) => ({ ...each, parameter })),
  );
  serviceTest.for(headers)("D8: `$parameter.name` of $operation.operationId", async (each) => {
    const { name, schema } = each.parameter;
    for (const { what, value, isAllowed } of trialsOf(schema).filter(isText)) {
      const [form] = formsOf(each.operation);
      const answer = await account.rest(
        each.method.toUpperCase(),
        each.path.replace("{memory_id}", ID),
        { headers: { [name]: String(value) }, body: BODIES[form?.name ?? ""] },
      );
      expect([what, isRefused(answer, name)]).toEqual([what, !isAllowed]);
    }
  });

  const paths = operations.filter(({ path }) => path.includes("{"));
  serviceTest.for(paths)("the ID in the path of $operation.operationId", async (each) => {
    const body = BODIES[formsOf(each.operation)[0]?.name ?? ""];
    const path = each.path.replace("{memory_id}", "not-a-uuid");
    const answer = await account.rest(each.method.toUpperCase(), path, { body });
    expect(isRefused(answer, "memory_id")).toBe(true);
  });
});

function isError({ status }: RestAnswer): boolean {
  return status === 400 || status === 422;
}

/** For that field, or for something in it. */
function isRefused({ status, body }: RestAnswer, field: string): boolean {
  const detail = String(body.detail).replace(/^line 2: /, "");
  const isInField = ["`", ".", "["].some((end) => detail.startsWith(`\`${field}${end}`));
  return status === 422 && body.reason === "invalid_field" && isInField;
}

function isText({ value, isMistyped = false }: Trial): boolean {
  return !isMistyped && (typeof value === "string" || typeof value === "number");
}

function isMapOfTexts({ value }: Trial): boolean {
  const texts = typeof value === "object" && value !== null ? Object.values(value) : [];
  return texts.length > 0 && texts.every((text) => typeof text === "string");
}

function parametersOf({ parameters = [] }: Operation, where: Parameter["in"]): Parameter[] {
  return parameters.filter((each) => each.in === where);
}

function resolved(schema: Schema): Schema {
  const $ref = schema.$ref ?? schema.anyOf?.find((each) => each.$ref !== undefined)?.$ref;
  const name = $ref?.split("/").at(-1) ?? "";
  return document.components.schemas[name] ?? schema;
}

/** Values on both sides of each rule of a schema. */
function trialsOf(schema: Schema): Trial[] {
  const either = (schema.anyOf ?? []).filter(({ type, $ref }) => type !== "null" && !$ref);
  if (either.length > 1) {
    // Each may be another's, and null may be left out.
    return either
      .flatMap(trialsOf)
      .filter(({ what }) => !["null", "no list"].includes(what) && !what.startsWith("mistyped"));
  }
  const types = [schema.type ?? (schema.anyOf && ["object", "null"]) ?? "object"].flat();
  const refused = (what: string, value: unknown) => ({ what, at: "", value, isAllowed: false });
  const allowed = (what: string, value: unknown) => ({ what, at: "", value, isAllowed: true });
  const mistyped = (value: unknown) => ({
    ...refused(`mistyped as ${JSON.stringify(value)}`, value),
    isMistyped: true,
  });
  const nothing = types.includes("null") ? [] : [refused("null", null)];
  if (types.includes("string")) {
    const others = [5, ["a"], {}].map(mistyped);
    return [...nothing, ...others, ...textTrials(schema, refused, allowed)];
  }
  if (types.includes("boolean")) {
    return [...nothing, refused("a word", "yes"), ...[1, "true"].map(mistyped)];
  }
  if (types.includes("integer") || types.includes("number")) {
    const { minimum = Number.NaN, maximum = Number.NaN } = schema;
    const step = types.includes("integer") ? 1 : 0.01;
    return [
      ...nothing,
      refused("a word", "many"),
      ...["5", true, ...(step === 1 ? [minimum + 0.5] : [])].map(mistyped),
      refused("too little", minimum - step),
      allowed("the least", minimum),
      allowed("the most", maximum),
      refused("too much", maximum + step),
    ];
  }
  if (types.includes("array")) {
    const { items = {}, minItems = 0, maxItems = 0 } = schema;
    const [example] = [schema.examples?.[0]].flat();
    const element = example ?? elementOf(items);
    return [
      ...nothing,
      refused("no list", "a"),
      mistyped({}),
      ...(minItems > 0 ? [refused("no elements", [])] : []),
      ...(maxItems === 0
        ? []
        : [
            allowed("as many as can be", Array(maxItems).fill(element)),
            refused("too many", Array(maxItems + 1).fill(element)),
          ]),
      ...trialsOf(items).map((each) => ({ ...each, at: `[0]${each.at}`, value: [each.value] })),
    ];
  }
  const { additionalProperties: free } = schema;
  if (typeof free === "object") {
    return [...nothing, refused("no object", "a"), ...mapTrials(schema, free)];
  }
  const inside = free === true ? [] : objectTrials(resolved(schema));
  return [...nothing, refused("no object", "a"), ...inside];
}

function elementOf(items: Schema): unknown {
  if (items.type === "object") return {};
  return items.$ref === undefined ? "a" : INSIDE[items.$ref.split("/").at(-1) ?? ""];
}

function textTrials(
  { enum: words, pattern, format, minLength = 0, maxLength, "x-max-bytes": bytes }: Schema,
  refused: (what: string, value: unknown) => Trial,
  allowed: (what: string, value: unknown) => Trial,
): Trial[] {
  if (words !== undefined) return [refused("another word", "another")];
  if (format !== undefined) return [refused(`no ${format}`, "yesterday")];
  const isLabel = pattern?.includes("u0000") ?? false;
  const plain = pattern?.startsWith("^gemini-") ? "gemini-" : "";
  const filled = (length: number) => plain.padEnd(length, "a");
  return [
    ...(minLength > 0 ? [refused("nothing", "")] : []),
    ...(pattern === "\\S" ? [refused("blanks", " \n\t")] : []),
    ...(isLabel ? [refused("a control character", "a\u0007")] : []),
    ...(plain === "" ? [] : [refused("a text that does not match", "gpt")]),
    ...(maxLength === undefined
      ? []
      : [
          allowed("as long as can be", filled(maxLength)),
          refused("too long", filled(maxLength + 1)),
        ]),
    ...(bytes === undefined ? [] : [refused("too many bytes", "é".repeat(bytes / 2 + 1))]),
    ...(isLabel ? [allowed("characters of many bytes", "😀".repeat(maxLength ?? 1))] : []),
  ];
}

/** Texts by name: how many, each key, and each text. */
function mapTrials({ propertyNames = {}, maxProperties = 0 }: Schema, text: Schema): Trial[] {
  const mapOf = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, "a"]));
  return [
    { what: "as many as can be", at: "", value: mapOf(maxProperties), isAllowed: true },
    { what: "too many", at: "", value: mapOf(maxProperties + 1), isAllowed: false },
    ...trialsOf({ type: "string", ...propertyNames })
      .filter(({ value }) => typeof value === "string")
      .map((each) => ({
        ...each,
        what: `a key: ${each.what}`,
        value: { [each.value as string]: "a" },
      })),
    ...trialsOf(text).map((each) => ({ ...each, at: ".key", value: { key: each.value } })),
  ];
}

/** Each field of an object is tried in an object that is right but for it. */
function objectTrials(schema: Schema): Trial[] {
  const name = Object.entries(document.components.schemas).find(([, each]) => each === schema)?.[0];
  const base = INSIDE[name ?? ""];
  if (base === undefined) throw new Error(`no object to try the fields of ${name} in`);
  const inside = Object.entries(schema.properties ?? {}).flatMap(([field, ofField]) =>
    trialsOf(ofField).map((each) => {
      return { ...each, at: `.${field}${each.at}`, value: { ...base, [field]: each.value } };
    }),
  );
  const without = (schema.required ?? []).map((field) => {
    const { [field]: _, ...rest } = base;
    return { what: "left out", at: `.${field}`, value: rest, isAllowed: false };
  });
  return [...inside, ...without];
}
