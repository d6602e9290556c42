import { sameAttribute } from "@agent-memory/text";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { endsOf } from "../../src/domain/attribute.ts";

/** Subjects with an identifier, and identifiers of one kind. */
const SUBJECTS: readonly (readonly [subject: (id: string) => string, ids: readonly string[]])[] = [
  [(id) => `Invoice ${id}`, ["1001", "1002", "A-17", "#88"]],
  [(id) => `Flight ${id}`, ["LH123", "LH456", "BA7"]],
  [(id) => `The ${id} chapter`, ["first", "second", "3rd"]],
  [(id) => `The ${id} budget`, ["January", "May", "June", "Q1", "Q2", "2024", "2025"]],
  [(id) => `The ${id} class`, ["Monday", "Friday", "summer"]],
  [(id) => `${id}'s room`, ["Anna", "Boris", "Chloe"]],
  [(id) => id, ["Anna", "Boris", "Anna Miller", "Chloe Park"].slice(0, 2)],
  [(id) => `The house at ${id} Elm Road`, ["3", "14", "17b"]],
  [(id) => `The head of government of ${id}`, ["Kenya", "Peru", "New Zealand"]],
  [(id) => `Building ${id}`, ["A", "B", "C"]],
  [(id) => `Release ${id}`, ["2.0", "2.1", "v3"]],
  [(id) => `The user's ${id} office`, ["Berlin", "Madrid"]],
];
const PREDICATES = [
  "is late",
  "is now in room 4",
  "was sent to Oslo",
  "costs 40 euros",
  "moved to Rome",
  "has no owner any more",
  "no longer exists",
];

const subjects = fc.constantFrom(...SUBJECTS).chain(([subject, ids]) =>
  fc.record({
    subject: fc.constant(subject),
    ids: fc.shuffledSubarray([...ids], { minLength: 2, maxLength: 2 }),
  }),
);
const predicate = fc.constantFrom(...PREDICATES);

describe("D23b identity", () => {
  test("whatever is said of it: another identifier of the subject is another thing", () => {
    fc.assert(
      fc.property(subjects, predicate, predicate, ({ subject, ids }, older, newer) => {
        const [a = "", b = ""] = ids.map(subject);
        expect(endsOf(`${b} ${newer}`)(`${a} ${older}`)).toBe(false);
        expect(endsOf(`${a} ${newer}.`)(`${a} ${older}`)).toBe(true);
      }),
    );
  });

  test.each([
    ["The user lives in Oslo", "The user lives in Rome"],
    ["Anna Miller lives in Oslo", "Anna lives in Rome"],
    ["Leo's in third grade", "The user's son Leo is in second grade"],
    ["Mia took over the billing service from Leo", "Leo owns the billing service"],
    ["Mia is the user's manager", "Leo is the user's manager"],
    ["In May Anna moved to Rome", "Anna lives in Oslo"],
    ["On Friday Leo left Acme", "In March Leo joined Acme"],
    ["Leo, Mia", "Mia and the user broke up"],
    ["A building is closed", "The building is open"],
    ["Will moved to Rome", "Will lives in Oslo"],
  ])("one thing, or nobody knows: %s / %s", (newer, older) => {
    expect(endsOf(newer)(older)).toBe(true);
  });

  test.each(["Order 17", "Test memory 1", "Meeting about order 3a"])(
    "without a verb the number behind it counts: %s",
    (older) => {
      expect(endsOf(older.replace(/\S+$/u, "5"))(older)).toBe(false);
      expect(endsOf("Rent 950 euros")("Rent 900 euros")).toBe(true);
    },
  );

  test("so does that of a heading, whatever stands under it", () => {
    expect(endsOf("Meeting notes 4. We hire two")("Meeting notes 3. We drop IE")).toBe(false);
    expect(endsOf("Team goals 4 - grow")("Team goals 4 - hire")).toBe(true);
  });

  test("of what was done, what it was done to counts too", () => {
    expect(endsOf("The user passed the third exam")("The user passed the second exam")).toBe(false);
    expect(endsOf("The user moved to floor 3")("The user moved to floor 2")).toBe(true);
  });
});

describe("D23b no statement", () => {
  test.each([
    ["Does the user live in Oslo?", false],
    ["is it true that I moved to Oslo", false],
    ["The user wants to move to Oslo", false],
    ["The user is thinking about Oslo", false],
    ["Maybe the user moves to Oslo", false],
    ["The user is moving to Oslo in June", false],
    ["The user moved to Oslo and wants to learn Norwegian", true],
    ["The user no longer wants to live in Rome", true],
    ["The user will move to Oslo next year", false],
    ["The user is going to live in Oslo", false],
    ["I'll live in Oslo on Friday", false],
    ["The user should live in Oslo", false],
    ["The user could live in Oslo", false],
    ["The user really wants a flat in Oslo and will buy it", false],
    ["If the user lived in Oslo, she would be happy", false],
    ["The user will no longer live in Rome", true],
    ["The user lives in Oslo and will buy a flat", true],
  ])("%s: may end what is: %s", (newer, may) => {
    expect(endsOf(newer)("The user lives in Rome")).toBe(may);
  });

  test.each([
    ["The user wants to learn Norwegian", "The user wants to learn Latin"],
    ["The release will be on Friday", "The release will be on Thursday"],
    ["The meeting is going to be in room 4", "The meeting is going to be in room 3"],
    ["The user wants short answers", "The user prefers long answers"],
  ])("a wish may end a wish, and a plan a plan: %s / %s", (newer, older) => {
    expect(endsOf(newer)(older)).toBe(true);
  });
});

describe("D23b: one of which a subject may have many is no attribute, unless it is new", () => {
  const place = fc.shuffledSubarray(["Rome", "Paris", "Ohio"], { minLength: 2, maxLength: 2 });
  const thing = fc.constantFrom("owns a house", "operates a warehouse", "rents a boat");
  test.each([
    ["", thing, false],
    ["now ", thing, true],
    ["", fc.constantFrom("lives in a flat", "works as an accountant"), true],
  ])("%s%s: %s", (lead, verbs, isOne) => {
    fc.assert(
      fc.property(verbs, place, (verb, [was, is]) => {
        const said = sameAttribute(`Ivan ${verb} in ${was}`, `Ivan ${lead}${verb} in ${is}`);
        expect(said?.isOneAttribute).toBe(isOne);
      }),
    );
  });

  test("one letter is a value, and no article", () => {
    expect(sameAttribute("Ann lives in A", "Ann lives in B")?.isOneAttribute).toBe(true);
  });
});
