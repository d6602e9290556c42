/** Requests that nobody should send, through real HTTP: every answer is sound. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { TestAccount, TestService } from "../support/service.ts";
import { serviceTest } from "../support/shared-service.ts";
import { awkwardText, headerText, jsonText, objectText, targetText } from "./arbitraries.ts";
import { WITH_BODY, WITH_QUERY } from "./endpoints.ts";
import { exchange, rawRequest } from "./raw-http.ts";
import { RUNS } from "./runs.ts";
import { expectSound } from "./sound-answer.ts";

let service: TestService;
let account: TestAccount;
serviceTest.beforeAll(async ({ sharedService }) => {
  service = sharedService;
  account = await service.createAccount({ writesLimit: 1_000_000 });
});

/** Each property gets its share of the runs for every endpoint. */
const numRuns = RUNS;

/**
 * Within the limit of the listener: past it the answer is 431, and a client that
 * still sends may find the connection closed before it reads that.
 */
const MAX_TARGET_CHARACTERS = 12_000;

async function send(
  method: string,
  target: string,
  headers: readonly (readonly [string, string])[],
  body?: Buffer,
): Promise<number> {
  const request = rawRequest(method, target.slice(0, MAX_TARGET_CHARACTERS), headers, body);
  const [answer] = await exchange(service.port, request);
  if (answer === undefined) throw new Error("the connection ended without an answer");
  const { status, text } = answer;
  expectSound({ status, text, contentType: answer.headers.get("content-type") ?? null });
  return status;
}

function authorized(): [string, string][] {
  return [["Authorization", `Bearer ${account.key}`]];
}

const json = (): [string, string][] => [...authorized(), ["Content-Type", "application/json"]];

describe.each(WITH_BODY)("$method $path", ({ method, path, fields, sound }) => {
  test("a sound request is served, or misses its memory", async () => {
    const status = await send(method, path, json(), Buffer.from(JSON.stringify(sound)));
    expect([200, 404]).toContain(status);
  });

  test("one field of a sound request replaced", async () => {
    const replaced = fc.tuple(fc.constantFrom(...fields), jsonText).map(([name, value]) => {
      const others = Object.entries(sound).filter(([other]) => other !== name);
      const members = others.map(([key, each]) => `${JSON.stringify(key)}:${JSON.stringify(each)}`);
      return `{${[...members, `${JSON.stringify(name)}:${value}`]}}`;
    });
    await fc.assert(
      fc.asyncProperty(replaced, async (body) => {
        await send(method, path, json(), Buffer.from(body));
      }),
      { numRuns },
    );
  });

  test("any members, also twice and unknown", async () => {
    await fc.assert(
      fc.asyncProperty(objectText(fields), async (body) => {
        await send(method, path, json(), Buffer.from(body));
      }),
      { numRuns },
    );
  });

  test("any bytes", async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ minLength: 1, maxLength: 64 }).map((each) => Buffer.from(each)),
      fc.tuple(objectText(fields), fc.nat(), fc.nat(255)).map(([text, position, byte]) => {
        const buffer = Buffer.from(text);
        buffer[position % buffer.length] = byte;
        return buffer;
      }),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (body) => {
        await send(method, path, json(), body);
      }),
      { numRuns },
    );
  });
});

describe.each(WITH_QUERY)("$method $path", ({ method, path, fields }) => {
  test("any query", async () => {
    const parameter = fc
      .tuple(fc.oneof(fc.constantFrom(...fields), targetText), targetText)
      .map((pair) => pair.join("="));
    const query = fc.array(fc.oneof(parameter, targetText), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(query, async (parameters) => {
        const target = `${path}?${parameters.join("&")}`;
        await send(method, target.replaceAll(/[\s\0]/g, ""), authorized());
      }),
      { numRuns },
    );
  });
});

test("any method and path", async () => {
  const method = fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND");
  const segment = fc.oneof(
    fc.constantFrom("agent", "memories", "query", "settings", "plan", "status", "supersede", ".."),
    targetText.map((text) => text.replaceAll(/[/?#]/g, "")),
  );
  await fc.assert(
    fc.asyncProperty(method, fc.array(segment, { maxLength: 5 }), async (verb, segments) => {
      await send(verb, `/${segments.join("/")}`, authorized());
    }),
    { numRuns },
  );
});

test("any text in the place of a memory's ID", async () => {
  const shortText = awkwardText.filter((text) => text.length < 300);
  const call = fc.constantFrom(...["supersede POST", "timeline GET", "audit GET", "restore POST"]);
  await fc.assert(
    fc.asyncProperty(call, shortText, async (each, id) => {
      const [action, verb = ""] = each.split(" ");
      const target = `/memories/${encodeURIComponent(id.toWellFormed())}/${action}`;
      const body =
        action === "supersede" ? Buffer.from('{"valid_to":"2026-01-01T00:00:00Z"}') : undefined;
      const status = await send(verb, target, body === undefined ? authorized() : json(), body);
      expect(status).toBe(id === "" ? 404 : 422);
    }),
    { numRuns },
  );
});

test("any headers", async () => {
  const name = fc.constantFrom(
    "Authorization",
    "Content-Type",
    "Content-Encoding",
    "Idempotency-Key",
    "Accept",
    "Accept-Encoding",
    "Cookie",
    "X-HTTP-Method-Override",
    "X-Forwarded-Proto",
    "TE",
    "Connect-Protocol-Version",
    "Connect-Timeout-Ms",
    "Grpc-Timeout",
    "__proto__",
  );
  const headers = fc.array(fc.tuple(name, headerText), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(headers, fc.boolean(), async (fuzzed, isFirst) => {
      const all = isFirst ? [...fuzzed, ...json()] : [...json(), ...fuzzed];
      await send("POST", "/agent/memories", all, Buffer.from('{"content":"A fact"}'));
    }),
    { numRuns },
  );
});

test("any credentials but a key", async () => {
  await fc.assert(
    fc.asyncProperty(headerText, async (value) => {
      fc.pre(!value.includes(account.key));
      const status = await send("GET", "/plan/status", [["Authorization", value]]);
      // 400 and 431: it is no header at all.
      expect([400, 401, 431]).toContain(status);
    }),
    { numRuns },
  );
});

test("afterwards the service serves as before", async () => {
  const { status, body } = await account.rest("GET", "/plan/status");
  expect({ status, polluted: ({} as { content?: string }).content }).toEqual({ status: 200 });
  expect(body.blocked).toBe(false);
});
