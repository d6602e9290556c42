import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { formatInstant } from "../../src/domain/instant.ts";
import type { RestAnswer } from "../support/rest-client.ts";
import type { TestAccount } from "../support/service.ts";

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
/** As every timestamp is written (D3). */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

type Caller = Pick<TestAccount, "rest">;
type Json = Readonly<Record<string, unknown>>;

/** A text that no other test uses. */
export function unique(text: string): string {
  return `${text} ${randomUUID().slice(0, 8)}`;
}

export function iso(instant: bigint): string {
  return formatInstant(instant);
}

/** POST /agent/memories. */
export function write(caller: Caller, body: unknown, headers?: Record<string, string>) {
  return caller.rest("POST", "/agent/memories", { body, headers });
}

/** Stores a fact and returns its ID. */
export async function remember(
  caller: Caller,
  content = "Ada lives in Paris",
  more: Json = {},
): Promise<string> {
  const answer = await write(caller, { content, ...more });
  expectOk(answer);
  return answer.body.memory_id;
}

/** Stores so many facts one after the other, and returns their IDs. */
export async function rememberMany(
  caller: Caller,
  count: number,
  more: Json = {},
): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await remember(caller, `Fact number ${i}`, more));
  return ids;
}

/** POST /memories/{memory_id}/supersede. */
export function supersede(
  caller: Caller,
  memoryId: string,
  body: unknown,
  headers?: Record<string, string>,
): Promise<RestAnswer> {
  return caller.rest("POST", `/memories/${memoryId}/supersede`, { body, headers });
}

/** POST /memories/{memory_id}/restore. */
export function restore(caller: Caller, memoryId: string): Promise<RestAnswer> {
  return caller.rest("POST", `/memories/${memoryId}/restore`);
}

/** The answer of GET /agent/memories. */
export async function list(caller: Caller, query: Record<string, string> = {}) {
  const answer = await caller.rest("GET", "/agent/memories", { query });
  expectOk(answer);
  return answer.body;
}

/** The IDs that GET /agent/memories lists, in its order. */
export async function listIds(caller: Caller, query: Record<string, string> = {}) {
  return idsOf((await list(caller, query)).memories);
}

/** The answer of POST /agent/query. */
export async function ask(caller: Caller, question: string, more: Json = {}) {
  const answer = await caller.rest("POST", "/agent/query", { body: { question, ...more } });
  expectOk(answer);
  return answer.body;
}

/** The answer of GET /memories/{memory_id}. */
export async function memory(caller: Caller, memoryId: string) {
  const answer = await caller.rest("GET", `/memories/${memoryId}`);
  expectOk(answer);
  return answer.body;
}

/** The answer of GET /memories/{memory_id}/timeline. */
export async function timeline(
  caller: Caller,
  memoryId: string,
  query?: Readonly<Record<string, string>>,
) {
  const answer = await caller.rest("GET", `/memories/${memoryId}/timeline`, { query });
  expectOk(answer);
  return answer.body;
}

/** One memory, as its timeline shows it. */
export async function memoryOf(caller: Caller, memoryId: string) {
  const { timeline: memories } = await timeline(caller, memoryId);
  return memories.find(({ id }: { id: string }) => id === memoryId);
}

/** The answer of GET /memories/{memory_id}/audit. */
export async function audit(caller: Caller, memoryId: string, query?: Record<string, string>) {
  const answer = await caller.rest("GET", `/memories/${memoryId}/audit`, { query });
  expectOk(answer);
  return answer.body;
}

/** The answer of GET /plan/status. */
export async function plan(caller: Caller) {
  const answer = await caller.rest("GET", "/plan/status");
  expectOk(answer);
  return answer.body;
}

export function idsOf(memories: readonly { readonly id: string }[]): string[] {
  return memories.map(({ id }) => id);
}

/** Waits for what another request brings about. */
export function eventually<T>(look: () => T | Promise<T>) {
  return expect.poll(look);
}

/** One field of each. */
export function pluck(field: string, items: readonly Json[]): unknown[] {
  return items.map((item) => item[field]);
}

/** 200 with a JSON body. */
export function expectOk(answer: RestAnswer): void {
  expect(answer).toMatchObject({ status: 200, body: expect.any(Object) });
}

/**
 * An error as D13 and D13a have it: exactly `detail` and `reason`; a detail that
 * names the field, where one is to blame.
 */
export function expectFailure(
  answer: RestAnswer,
  status: number,
  reason: string,
  field?: string,
): void {
  const { status: got, body } = answer;
  const detail = field === undefined ? expect.any(String) : expect.stringContaining(`\`${field}\``);
  const { field: named = field } = body;
  const told = { detail, reason, ...(named !== undefined && { field: field ?? named }) };
  expect({ status: got, body }).toEqual({ status, body: told });
  expect(answer.headers.get("content-type")).toBe("application/json");
}

/** 422 for a field (D13). */
export function expectInvalid(answer: RestAnswer, field: string): void {
  expectFailure(answer, 422, "invalid_field", field);
}

/** A wait in whole seconds (D15); returns it. */
export function expectRetryAfter(answer: RestAnswer): number {
  const header = answer.headers.get("retry-after");
  expect(header).toMatch(/^[1-9]\d*$/);
  return Number(header);
}

/** A message of the user's. */
export function says(content: string) {
  return { role: "user", content };
}

/** The outcome of automatic supersession where it is off. */
export const NOT_RUN = {
  ran: false,
  skipped_reason: "disabled",
  category: null,
  candidates_examined: 0,
  supersession: null,
  supersessions: [],
};
