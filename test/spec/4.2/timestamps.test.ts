/** How times are written and read, in bodies and in queries (D3). */
import { beforeAll, expect, test } from "vitest";
import type { TestAccount } from "../../support/service.ts";
import { expectInvalid, list, remember, write } from "../calls.ts";
import { rawRequest } from "../raw-http.ts";
import { useSpec } from "../spec.ts";

const spec = useSpec();

let reader: TestAccount;
/** With one memory, for tests that only read. */
beforeAll(async () => {
  reader = await spec.service.createAccount();
  await remember(reader);
});

test.each([
  ["D3: Z", "2024-05-04T03:02:01Z", "2024-05-04T03:02:01.000000Z"],
  ["D3: in small letters", "2024-05-04t03:02:01z", "2024-05-04T03:02:01.000000Z"],
  ["D3: milliseconds", "2024-05-04T03:02:01.123Z", "2024-05-04T03:02:01.123000Z"],
  ["D3: microseconds", "2024-05-04T03:02:01.123456Z", "2024-05-04T03:02:01.123456Z"],
  ["D3: nanoseconds", "2024-05-04T03:02:01.123456789Z", "2024-05-04T03:02:01.123456Z"],
  ["D3: one digit of a second", "2024-05-04T03:02:01.5Z", "2024-05-04T03:02:01.500000Z"],
  ["D3: east of Greenwich", "2024-05-04T03:02:01+02:00", "2024-05-04T01:02:01.000000Z"],
  ["D3: west of Greenwich", "2024-05-04T03:02:01-05:30", "2024-05-04T08:32:01.000000Z"],
  ["D3: the offset nought", "2024-05-04T03:02:01+00:00", "2024-05-04T03:02:01.000000Z"],
  ["D3: the unknown offset", "2024-05-04T03:02:01-00:00", "2024-05-04T03:02:01.000000Z"],
  ["D3: across the new year", "2023-12-31T23:30:00-01:00", "2024-01-01T00:30:00.000000Z"],
  ["D3: a leap day", "2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000Z"],
  ["D3: before 1970", "1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"],
  ["D3: long ago", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000000Z"],
  ["D3 wide forms: without seconds", "2024-05-04T03:02Z", "2024-05-04T03:02:00.000000Z"],
  ["D3 wide forms: a comma", "2024-05-04T03:02:01,5Z", "2024-05-04T03:02:01.500000Z"],
  ["D3 wide forms: +hhmm", "2024-05-04T03:02:01+0200", "2024-05-04T01:02:01.000000Z"],
  ["D3 wide forms: -hh", "2024-05-04T03:02:01-05", "2024-05-04T08:02:01.000000Z"],
])("%s (%s), in a body and in a query", async (_, text, written) => {
  const account = await spec.service.createAccount();
  await remember(account, "Ada", { valid_from: text });
  const answer = await list(account, { as_of: text });
  expect(answer.as_of).toBe(written);
  expect(answer.memories[0]).toMatchObject({
    valid_from: written,
    temporal: { valid_from: written },
  });
});

test.each([
  ["D3: `+` as it is, which arrives as a space", "2024-05-04T03:02:01+02:00"],
  ["D3 wide forms: the same without a colon", "2024-05-04T03:02:01+0200"],
  ["D3 wide forms: the same without minutes", "2024-05-04T03:02:01+02"],
  ["D3 wide forms: the same and no seconds but nought", "2024-05-04T01:02:01,000+00"],
  ["D3: `+` encoded", "2024-05-04T03:02:01%2B02:00"],
  ["D3: a space encoded", "2024-05-04T03:02:01%2002:00"],
  ["D3: colons encoded", "2024-05-04T03%3A02%3A01%2B02%3A00"],
])("%s", async (_, text) => {
  const answer = await rawRequest(spec.service.url, "GET", `/agent/memories?as_of=${text}`, {
    headers: { authorization: `Bearer ${reader.key}` },
  });
  expect(answer).toMatchObject({ status: 200, body: { as_of: "2024-05-04T01:02:01.000000Z" } });
});

test.each([
  ["D3: without an offset", "2024-05-04T03:02:01"],
  ["D3: only a date", "2024-05-04"],
  ["D3: a day that does not exist", "2024-02-30T00:00:00Z"],
  ["D3: a leap day of no leap year", "2025-02-29T00:00:00Z"],
  ["D3: a leap day of 1900", "1900-02-29T00:00:00Z"],
  ["D3: the 31st of April", "2024-04-31T00:00:00Z"],
  ["D3: month 13", "2024-13-01T00:00:00Z"],
  ["D3: month 0", "2024-00-01T00:00:00Z"],
  ["D3: day 0", "2024-01-00T00:00:00Z"],
  ["D3: hour 24", "2024-01-01T24:00:00Z"],
  ["D3: minute 60", "2024-01-01T00:60:00Z"],
  ["D3: second 61", "2024-01-01T00:00:61Z"],
  ["D3: an offset of 24 hours", "2024-01-01T00:00:00+24:00"],
  ["D3 wide forms: an offset of one digit", "2024-01-01T00:00:00+2"],
  ["D3 wide forms: an offset of 24 hours", "2024-01-01T00:00:00+2400"],
  ["D3 wide forms: a fraction of a minute", "2024-01-01T00:00.5Z"],
  ["D3 wide forms: only the hour", "2024-01-01T00Z"],
  ["D3 wide forms: without seconds and offset", "2024-01-01T00:00"],
  ["D3: basic format", "20260101T000000Z"],
  ["D3: a space for the T", "2024-01-01 00:00:00Z"],
  ["D3: blanks around it", " 2024-01-01T00:00:00Z "],
  ["D3: a fraction without digits", "2024-01-01T00:00:00.Z"],
  ["D3: a zone by name", "2024-01-01T00:00:00[Europe/Paris]"],
  ["D3: seconds since 1970", "1767225600"],
  ["D3: a word", "now"],
  ["D3: the year 10000", "+010000-01-01T00:00:00Z"],
  ["D3: the year 0", "0000-01-01T00:00:00Z"],
  ["D3: nothing", ""],
])("%s is refused (%j)", async (_, text) => {
  const query = { as_of: text };
  expectInvalid(await reader.rest("GET", "/agent/memories", { query }), "as_of");
  expectInvalid(await write(reader, { content: "Ada", valid_from: text }), "valid_from");
  expectInvalid(await write(reader, { content: "Ada", valid_to: text }), "valid_to");
});
