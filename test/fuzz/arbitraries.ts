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
