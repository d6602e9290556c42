import { randomUUID } from "node:crypto";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, test } from "vitest";
import { isMemoryId, isUuid, toMemoryId } from "../../src/domain/ids.ts";

describe("the ID of a memory", () => {
  test.each([
    ["of version 7", uuidv7()],
    ["of version 4", randomUUID()],
    ["of no version", "00000000-0000-0000-0000-000000000000"],
    ["the last one", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
  ])("is a UUID, %s", (_, text) => {
    expect(isUuid(text)).toBe(true);
    expect(isMemoryId(text)).toBe(true);
    expect(toMemoryId(text)).toBe(text);
  });

  const uuid = "01890000-0000-7000-8000-00000000000a";
  test.each([
    ["empty", ""],
    ["in capitals", uuid.toUpperCase()],
    ["without hyphens", uuid.replaceAll("-", "")],
    ["in braces", `{${uuid}}`],
    ["behind a space", ` ${uuid}`],
    ["before a line break", `${uuid}\n`],
    ["too short", uuid.slice(0, -1)],
    ["too long", `${uuid}0`],
    ["with a letter that is no digit", uuid.replace("a", "g")],
    ["with a digit of another script", uuid.replace("a", "٣")],
  ])("is no text that is %s", (_, text) => {
    expect(isUuid(text)).toBe(false);
    expect(isMemoryId(text)).toBe(false);
    expect(() => toMemoryId(text)).toThrow(Error);
  });
});
