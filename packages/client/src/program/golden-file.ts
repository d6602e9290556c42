import { open } from "node:fs/promises";
import { parseTimestamp } from "@agent-memory/text/instant";
import { UsageError } from "./environment.ts";

/** A question to a memory, and what its answer must be like. */
export interface GoldenQuestion {
  /** Line of the file, from 1. */
  readonly line: number;
  readonly question: string;
  /** Each must be in the answer; of a list one of its texts. */
  readonly mustMention: readonly (readonly string[])[];
  readonly mustNotMention: readonly string[];
  /** Each must be a memory that the answer cites: its ID, or a part of its text. */
  readonly evidence: readonly string[];
  readonly asOf: NonNullable<ReturnType<typeof parseTimestamp>> | undefined;
  readonly tenantId: string | undefined;
}

const MAX_QUESTIONS = 10_000;
const MAX_LINE_CHARACTERS = 64 * 1024;
const MAX_TEXTS = 50;
const FIELDS = [
  "question",
  "must_mention",
  "must_not_mention",
  "evidence",
  "as_of",
  "tenant_id",
] as const;

/** Throws a UsageError that names the line, the field and the rule. */
export async function readGoldenFile(path: string): Promise<GoldenQuestion[]> {
  const file = await open(path).catch(() => {
    throw new UsageError(`cannot read ${path}`);
  });
  const questions: GoldenQuestion[] = [];
  let line = 0;
  for await (const text of file.readLines()) {
    line++;
    if (text.trim() === "") continue;
    if (questions.length === MAX_QUESTIONS) {
      throw new UsageError(`${path} has more than ${MAX_QUESTIONS} questions`);
    }
    questions.push(questionOf(text, line));
  }
  if (questions.length === 0) throw new UsageError(`${path} has no questions`);
  return questions;
}

function questionOf(text: string, line: number): GoldenQuestion {
  const fail = (why: string): never => {
    throw new UsageError(`line ${line}: ${why}`);
  };
  if (text.length > MAX_LINE_CHARACTERS) fail(`is longer than ${MAX_LINE_CHARACTERS} characters`);
  const record = objectIn(text) ?? fail("must be a JSON object");
  const unknown = Object.keys(record).find((name) => !FIELDS.some((field) => field === name));
  if (unknown !== undefined) fail(`\`${unknown}\` is not a known field`);
  const { question, as_of: asOf, tenant_id: tenantId } = record;
  const texts = (name: (typeof FIELDS)[number]): string[] => {
    const values = [record[name] ?? []].flat();
    if (values.length > MAX_TEXTS || !values.every(isText)) {
      fail(`\`${name}\` must be a text or a list of at most ${MAX_TEXTS} texts`);
    }
    return values;
  };
  const mentioned = [record.must_mention ?? []].flat().map((each) => [each].flat());
  if (mentioned.length > MAX_TEXTS || !mentioned.every((each) => each.every(isText))) {
    fail(`\`must_mention\` must be a text, or a list of at most ${MAX_TEXTS} texts and of choices`);
  }
  const moment = asOf === undefined ? undefined : isText(asOf) ? parseTimestamp(asOf) : null;
  if (moment === null) fail("`as_of` must be a time with an offset or `Z`");
  if (tenantId !== undefined && !isText(tenantId)) fail("`tenant_id` must be a text");
  return {
    line,
    question: isText(question) ? question : fail("`question` must be a text"),
    mustMention: mentioned as string[][],
    mustNotMention: texts("must_not_mention"),
    evidence: texts("evidence"),
    asOf: moment ?? undefined,
    tenantId,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: whatever is in the file
function objectIn(text: string): Record<string, any> | null {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
