import type { TestService } from "../../support/service.ts";
import type { EverydayChange } from "./everyday.ts";
import { MANY } from "./measure-updates.ts";

/** How a first fact and what is told later reach the service. */
export type ToldAs = "facts" | "a fact, then said" | "said twice";

export const WAYS_TO_TELL: readonly ToldAs[] = ["facts", "a fact, then said", "said twice"];

export interface EverydayRates {
  /** Changes that ended the first fact, and all changes. */
  readonly ended: number;
  readonly changes: number;
  /** What is no change and ended it nevertheless, and all that is no change. */
  readonly falseEnds: number;
  readonly nearMisses: number;
  readonly mistakes: readonly string[];
}

/** The user's words alone, or "assistant: Where do you live?" and "user: In Rome", each in a line. */
function messagesOf(said: string) {
  return said.split("\n").map((line) => {
    const [, role = "user", content = line] = /^(user|assistant): (.+)$/.exec(line) ?? [];
    return { role, content };
  });
}

/** Whether the first fact ends, the whole way from a request to the list (D23). */
export async function measureEveryday(
  { createAccount }: TestService,
  labelled: readonly EverydayChange[],
  way: ToldAs,
): Promise<EverydayRates> {
  const rates = { ended: 0, changes: 0, falseEnds: 0, nearMisses: 0 };
  const mistakes: string[] = [];
  const { rest } = await createAccount({ writesLimit: MANY });
  for (const [number, { stored, told, fact, said, ends }] of labelled.entries()) {
    if (way === "said twice" && told === null) continue;
    const tenant_id = `change ${number}`;
    const write = async (content: string, isSaid: boolean, day: string) => {
      const what = isSaid ? { messages: messagesOf(content) } : { content };
      const valid_from = `2026-05-${day}T12:00:00Z`;
      const body = { ...what, tenant_id, auto_supersede: true, valid_from };
      return (await rest("POST", "/agent/memories", { body })).body;
    };
    const first = await write(
      way === "said twice" ? (told ?? "") : stored,
      way === "said twice",
      "05",
    );
    const later = await write(way === "facts" ? fact : said, way !== "facts", "06");
    const list = await rest("GET", "/agent/memories", { query: { tenant_id } });
    const current = new Set(list.body.memories.map(({ id }: { id: string }) => id));
    const ids: string[] = first.memory_ids ?? [first.memory_id];
    const isEnded = ids.some((id) => !current.has(id));
    rates[ends ? "changes" : "nearMisses"] += 1;
    if (isEnded) rates[ends ? "ended" : "falseEnds"] += 1;
    if (isEnded !== ends) {
      const texts = [first.extracted?.join("; ") ?? stored, later.extracted?.join("; ") ?? fact];
      mistakes.push(
        `${way}, ${ends ? "not ended" : "ended"}: ${said}\n    ${texts.join("\n    ")}`,
      );
    }
  }
  return { ...rates, mistakes };
}
