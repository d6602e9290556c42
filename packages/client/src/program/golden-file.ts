import { open } from "node:fs/promises";
import { parseTimestamp } from "@agent-memory/text/instant";
import { z } from "zod";
import { jsonIn } from "../json-text.ts";
import { UsageError } from "./environment.ts";

const MAX_QUESTIONS = 10_000;
const MAX_LINE_CHARACTERS = 64 * 1024;
const MAX_TEXTS = 50;

const text = z.string("must be a text").refine((value) => value.trim() !== "", "must be a text");
const texts = z
  .array(text)
  .max(MAX_TEXTS, `must be a text or a list of at most ${MAX_TEXTS} texts`);
const someTexts = z.preprocess((value) => [value ?? []].flat(), texts);

const goldenQuestion = z.strictObject({
  question: text,
  /** Each must be in the answer; of a list one of its texts. */
  must_mention: z.preprocess(
    (value) => [value ?? []].flat().map((each) => [each].flat()),
    z.array(texts).max(MAX_TEXTS, `must be at most ${MAX_TEXTS} texts and choices`),
  ),
  must_not_mention: someTexts,
  /** Each must be a memory that the answer cites: its ID, or a part of its text. */
  evidence: someTexts,
  as_of: text
    .transform(parseTimestamp)
    .refine((moment) => moment !== null, "must be a time with an offset or `Z`")
    .optional(),
  tenant_id: text.optional(),
});

/** With its line of the file, from 1. */
export type GoldenQuestion = z.infer<typeof goldenQuestion> & { readonly line: number };

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
    questions.push({ line, ...questionOf(text, line) });
  }
  if (questions.length === 0) throw new UsageError(`${path} has no questions`);
  return questions;
}

function questionOf(text: string, line: number): z.infer<typeof goldenQuestion> {
  const fail = (why: string): never => {
    throw new UsageError(`line ${line}: ${why}`);
  };
  if (text.length > MAX_LINE_CHARACTERS) fail(`is longer than ${MAX_LINE_CHARACTERS} characters`);
  const { data, error } = goldenQuestion.safeParse(jsonIn(text) ?? fail("must be a JSON object"));
  if (data !== undefined) return data;
  const [{ code, path, message, ...issue } = fail("is wrong")] = error.issues;
  if (code === "unrecognized_keys" && "keys" in issue) {
    fail(`\`${[issue.keys].flat()[0]}\` is not a known field`);
  }
  return fail(path.length === 0 ? "must be a JSON object" : `\`${String(path[0])}\` ${message}`);
}
