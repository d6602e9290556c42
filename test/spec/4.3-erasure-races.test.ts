/** Erasures among what is written meanwhile; ERASURE_RACES says how many, 1,000 for all. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { scriptedFacts } from "./4.1/scripted-facts.ts";
import { expectOk, remember, supersede, unique, write } from "./calls.ts";
import { useSpec } from "./spec.ts";
import { tablesWithTexts } from "./stored-text.ts";
import { exported, imported } from "./transfers/transfers.ts";

const spec = useSpec();
const { fact } = scriptedFacts(spec);
const RACES = Number(process.env.ERASURE_RACES ?? 5);
const scope = { tenant_id: "acme", session_id: "erased" };

/** A fact of which the classifier says that it ends others, in words that quote them all. */
function quoting(text: string): string {
  const content = fact(text);
  spec.script.classifications.set(content, ({ candidates }) => ({
    supersededIndex: Math.random() < 0.7 && candidates.length > 0 ? 0 : null,
    reason: [content, ...candidates.map(({ decision }) => decision)].join(" or "),
  }));
  return content;
}

/** Returns the texts of it, all of which are erased in the end. */
async function race(): Promise<string[]> {
  const account = await spec.service.createAccount();
  const texts: string[] = [];
  const said = (text: string) => {
    const content = quoting(text);
    texts.push(content);
    return content;
  };
  const keyed = async (session_id: string) => {
    const opening = unique("Hello");
    const facts = [said("First"), said("Second")];
    spec.script.extractions.set(opening, () => facts.map((decision) => ({ decision })));
    const body = {
      messages: [{ role: "user", content: opening }],
      ...{ ...scope, session_id, auto_supersede: true },
    };
    const headers = { "idempotency-key": opening.replaceAll(" ", "-") };
    await write(account, body, headers);
    await write(account, body, headers);
  };
  const old = await remember(account, said("Old"), scope);
  const kept = await remember(account, said("Kept"), { ...scope, session_id: "kept" });
  const erase = () => account.rest("DELETE", "/agent/memories", { query: scope });
  const after = async (work: () => Promise<unknown>) => {
    await sleep(Math.random() * 15);
    return work();
  };
  await Promise.all([
    after(() => keyed("erased")),
    after(() => keyed("kept")),
    after(() => write(account, { content: said("New"), ...scope, auto_supersede: true })),
    after(() => supersede(account, old, { superseded_by: kept })),
    after(erase),
    after(erase),
  ]);
  for (const [text, tables] of await tablesWithTexts(spec.service, texts)) {
    expect(tables, text).toContain("memories");
  }
  // Nothing is written any more: all of the scope goes, and what is left is a sound export.
  expectOk(await erase());
  expect([...(await tablesWithTexts(spec.service, texts)).keys()]).not.toContain(texts[0]);
  const { text: rest, memories } = await exported(spec, account, { tenant_id: "acme" });
  expectOk(await account.rest("DELETE", "/agent/memories"));
  expect((await imported(account, rest)).imported).toBe(memories.length);
  expectOk(await account.rest("DELETE", "/agent/memories"));
  return texts;
}

test("D43, D33 erased: no race leaves text of what was erased, or half of a write", async () => {
  const texts: string[] = [];
  for (let done = 0; done < RACES; done++) texts.push(...(await race()));
  expect(await tablesWithTexts(spec.service, texts)).toEqual(new Map());
}, 3_600_000);
