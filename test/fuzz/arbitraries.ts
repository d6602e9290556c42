import fc from "fast-check";

/** Texts that have broken parsers before. */
const AWKWARD = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ufeff",
  "\u200b",
  "\u202etxt.exe",
  "\u0007",
  "\ud800",
  "\udc00\ud800",
  "é",
  "👩‍👩‍👧‍👦",
  "__proto__",
  "constructor",
  "null",
  "-1",
  "1e400",
  "0x10",
  "9007199254740993",
  "2026-02-30T00:00:00Z",
  "2026-01-01",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:60Z",
  "2026-01-01T00:00:00+99:99",
  "../../etc/passwd",
  "%00",
  "%zz",
  "' or 1=1 --",
  "{{7*7}}",
  "x".repeat(257),
  "é".repeat(16_385),
];

export const awkwardText = fc.oneof(
  fc.constantFrom(...AWKWARD),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 300 }),
);

/** JSON as text, so that it can hold what `JSON.stringify` never writes. */
export const jsonText = fc.oneof(
  { weight: 4, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 4, arbitrary: awkwardText.map((text) => JSON.stringify(text)) },
  fc.double().map(String).filter(isJson),
  fc.constantFrom(
    "1e400",
    "-1e400",
    "1e-400",
    "-0",
    "123456789012345678901234567890",
    "2147483648",
    "5.0000000000000001",
    '"\\ud800"',
    '"\\u0000"',
    '{"__proto__":{"content":"polluted"}}',
    '{"constructor":{"prototype":{}}}',
    '{"a":1,"a":2}',
    `${"[".repeat(5_000)}${"]".repeat(5_000)}`,
    `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
    `[${"{},".repeat(1_000)}{}]`,
  ),
);

/** An object with these members in it, most of them named like known fields. */
export function objectText(fields: readonly string[]): fc.Arbitrary<string> {
  const name = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...fields) },
    { weight: 1, arbitrary: awkwardText },
  );
  return fc
    .array(fc.tuple(name, jsonText), { maxLength: 5 })
    .map((members) => `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`)}}`);
}

/** What can stand in a request target, though not all of it should. */
export const targetText = fc.oneof(
  fc.string({ unit: fc.constantFrom(..."abc/?&=%.:;,+-_~!*'()@$#[]{}|^\\\"<>09"), maxLength: 60 }),
  awkwardText.map((text) => encodeURIComponent(text.toWellFormed())),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => {
    return [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  }),
);

/** A header's value as bytes in Latin-1, without what would end the header. */
export const headerText = fc.oneof(
  awkwardText.map((text) =>
    Buffer.from(text)
      .toString("latin1")
      .replace(/[\0\r\n]/g, ""),
  ),
  fc.string({ unit: fc.integer({ min: 0x20, max: 0xff }).map((n) => String.fromCharCode(n)) }),
);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
