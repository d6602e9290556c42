/** Writes that say since when, or until when, a fact holds (D17). */
import { expect, test } from "vitest";
import { MINUTE } from "../../../src/domain/instant.ts";
import { MAX_VALID_FROM_AHEAD_MINUTES } from "../../../src/domain/limits.ts";
import { CALL } from "../../support/model-call.ts";
import {
  expectInvalid,
  expectOk,
  iso,
  memoryOf,
  plan,
  remember,
  says,
  unique,
  write,
} from "../calls.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

const CONTENT = { content: "The office is closed" };

test("D17: valid_from may lie in the past, and valid_to is a known end", async () => {
  const caller = await spec.service.createAccount();
  const id = await remember(caller, "The office was in Rome", {
    valid_from: "2001-02-03T04:05:06.789012Z",
    valid_to: "2021-12-31T23:59:59.999999+00:00",
  });
  expect(await memoryOf(caller, id)).toMatchObject({
    valid_from: "2001-02-03T04:05:06.789012Z",
    valid_to: "2021-12-31T23:59:59.999999Z",
    superseded_by: null,
    temporal: { is_current: false, is_expired: true, is_superseded: false },
  });
});

test("D17: valid_from may lie 5 minutes ahead, and not a microsecond more", async () => {
  const caller = await spec.service.createAccount();
  await spec.service.clock.hold(async () => {
    const latest = spec.service.clock.now() + BigInt(MAX_VALID_FROM_AHEAD_MINUTES) * MINUTE;
    const id = await remember(caller, CONTENT.content, { valid_from: iso(latest) });
    expect((await memoryOf(caller, id)).valid_from).toBe(iso(latest));
    const tooLate = await write(caller, { ...CONTENT, valid_from: iso(latest + 1n) });
    expectInvalid(tooLate, "valid_from");
    const messages = { messages: [says("Good morning")] };
    expectOk(await write(caller, { ...messages, valid_from: iso(latest) }));
    expectInvalid(await write(caller, { ...messages, valid_from: iso(latest + 1n) }), "valid_from");
  });
});

test("D17: valid_to must be later than the write where valid_from is left out", async () => {
  const caller = await spec.service.createAccount();
  await spec.service.clock.hold(async () => {
    const now = spec.service.clock.now();
    expectInvalid(await write(caller, { ...CONTENT, valid_to: iso(now) }), "valid_to");
    expectOk(await write(caller, { ...CONTENT, valid_to: iso(now + 1n) }));
  });
});

test("D17: an end that passes while the models run is refused, and nothing is stored", async () => {
  const caller = await spec.service.createAccount();
  const content = unique("Ends while it is embedded");
  const end = spec.service.clock.now() + MINUTE;
  spec.script.vectors.set(content, () => {
    spec.service.clock.advance(2n * MINUTE);
    return spec.script.models.embedder
      .embed(["anything"], "document", CALL)
      .then(([vector = []]) => vector);
  });
  expectInvalid(await write(caller, { content, valid_to: iso(end) }), "valid_to");
  expect((await plan(caller)).writes_used).toBe(0);
});

test("D17: with messages, valid_from is the time of the conversation", async () => {
  const caller = await spec.service.createAccount();
  const { body } = await write(caller, {
    messages: [says("I visited Munich yesterday.")],
    valid_from: "2024-03-05T12:00:00Z",
  });
  expect(body.saved_count).toBe(1);
  expect(body.extracted[0]).toContain("2024-03-04");
  const memory = await memoryOf(caller, body.memory_ids[0]);
  expect(memory.valid_from).toBe("2024-03-05T12:00:00.000000Z");
  expect(memory.created_at > "2024-03-06").toBe(true);
});

test("D16: valid time is what the caller says, transaction time is the clock's", async () => {
  const caller = await spec.service.createAccount();
  await spec.service.clock.hold(async () => {
    const now = iso(spec.service.clock.now());
    const old = await remember(caller, "Old", { valid_from: "1999-12-31T23:59:59Z" });
    expect(await memoryOf(caller, old)).toMatchObject({
      created_at: now,
      valid_from: "1999-12-31T23:59:59.000000Z",
      source_citation: { captured_at: now },
    });
    const fresh = await remember(caller, "Fresh");
    expect(await memoryOf(caller, fresh)).toMatchObject({ created_at: now, valid_from: now });
  });
});
