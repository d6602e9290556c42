import { expect } from "vitest";
import { checkDocumented } from "../../support/documented.ts";
import type { TestAccount } from "../../support/service.ts";
import { expectOk } from "../calls.ts";
import type { Spec } from "../spec.ts";

type Json = Record<string, unknown>;

/** What an export is made of. */
export interface ExportedLines {
  /** As it was sent. */
  readonly text: string;
  /** Behind the format. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look at any part of a line
  readonly memories: readonly any[];
}

/** The text of the format. */
export const FORMAT = '{"format":"agent-memory","version":1}';

export function textOf(lines: readonly unknown[]): string {
  const texts = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  return `${texts.join("\n")}\n`;
}

/** An export without what imports left in it (D42a). */
export function unimported(text: string): string {
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Json);
  return textOf(lines.map((line) => ("history" in line ? withoutImports(line) : line)));
}

/** The same of one memory, or of its audit. */
export function withoutImports<T extends object>(of: T): T {
  const { history } = of as { readonly history?: readonly { readonly event: string }[] };
  return { ...of, history: history?.filter(({ event }) => event !== "imported") };
}

/** GET /agent/export. */
export async function exported(
  spec: Spec,
  { key }: TestAccount,
  query: Record<string, string> = {},
): Promise<ExportedLines> {
  const url = new URL(`/agent/export?${new URLSearchParams(query)}`, spec.service.url);
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  expect([response.status, response.headers.get("content-type")]).toEqual([
    200,
    "application/x-ndjson",
  ]);
  const lines = text.trimEnd().split("\n");
  expect(lines[0]).toBe(FORMAT);
  const body = lines.map((line) => JSON.parse(line));
  const { status, headers } = response;
  checkDocumented({ method: "GET", url, requestBody: undefined, status, headers, body });
  return { text, memories: body.slice(1) };
}

/** POST /agent/import of a text, or of lines. */
export function importing(
  { rest }: Pick<TestAccount, "rest">,
  lines: string | readonly unknown[],
  headers: Record<string, string> = {},
) {
  return rest("POST", "/agent/import", {
    body: typeof lines === "string" ? lines : textOf([FORMAT, ...lines]),
    headers: { "content-type": "application/x-ndjson", ...headers },
  });
}

/** An import that must be done; returns its counts. */
export async function imported(
  account: TestAccount,
  lines: string | readonly unknown[],
): Promise<{ imported: number; skipped: number }> {
  const answer = await importing(account, lines);
  expectOk(answer);
  expect(answer.body).toEqual({
    status: "imported",
    company_id: account.companyId,
    imported_count: expect.any(Number),
    skipped_count: expect.any(Number),
  });
  return { imported: answer.body.imported_count, skipped: answer.body.skipped_count };
}

export async function eraseAll({ rest }: TestAccount): Promise<void> {
  expectOk(await rest("DELETE", "/agent/memories"));
}

/** A line of a memory that nobody wrote, as an export would have it; `more` changes fields. */
export function lineOf(id: string, createdAt: string, more: Json = {}): Json {
  const decision = typeof more.decision === "string" ? more.decision : `Fact ${id}`;
  return {
    id,
    tenant_id: null,
    decision,
    summary: decision,
    topic: "General",
    importance_score: 5,
    source: "agent",
    metadata: {},
    created_at: createdAt,
    valid_from: createdAt,
    valid_to: null,
    superseded_by: null,
    superseded_at: null,
    stated_at: createdAt,
    category: null,
    provenance: {
      mode: "content",
      session_id: null,
      original_message: decision,
      message_index: null,
      extraction: null,
      span: null,
    },
    history: [{ event: "created", at: createdAt, actor: id, detail: {} }],
    ...more,
  };
}
