/** What clients do to an account, drawn at random: the same things for every test that reads it. */
import fc from "fast-check";
import { DAY, MINUTE } from "../../src/domain/instant.ts";
import type { TestAccount } from "../support/service.ts";
import { scriptedFacts, writeFact } from "./4.1/scripted-facts.ts";
import { expectOk, iso, pluck, remember, restore, supersede } from "./calls.ts";
import type { Spec } from "./spec.ts";

type Kind = "write" | "supersede" | "end" | "replace" | "restore" | "take back" | "erase";

/** One thing that a client does; numbers choose among the memories that there are. */
export type Action = readonly [kind: Kind, x: number, y: number];

/** Every kind that a history must have done at least once for it to say something. */
export const TELLING_KINDS: ReadonlySet<string> = new Set<Kind>([
  "supersede",
  "end",
  "replace",
  "restore",
  "take back",
]);

/** Of these kinds, as often as each is named. */
export function anyAction(kinds: readonly Kind[]): fc.Arbitrary<Action> {
  return fc.tuple(fc.constantFrom(...kinds), fc.nat(60), fc.nat(20));
}

/** Plays actions on an account, from now on. */
export function startHistory(spec: Spec, account: TestAccount) {
  const { fact, classifies, takeBack } = scriptedFacts(spec);
  const start = spec.service.clock.now();
  const daysAgo = (days: number) => iso(start - BigInt(days) * DAY);
  /** By tenant, of what was not erased. */
  const ids = new Map<string, string[]>();
  const erased = new Set<string>();
  /** What took effect. */
  const seen = new Set<string>();
  /** Of what the classifier ended, the newest first. */
  const restorable: string[] = [];

  function noteEnded(kind: Kind, ended: readonly Readonly<Record<string, unknown>>[]): void {
    if (ended.length > 0) seen.add(kind);
    restorable.unshift(...pluck("memory_id", ended).map(String));
  }

  /** Refusals are part of a history: they change nothing. */
  async function act([kind, x, y]: Action, tenant_id: string): Promise<void> {
    const ofTenant = ids.get(tenant_id) ?? [];
    ids.set(tenant_id, ofTenant);
    const [one = "", other = ""] = [x, y].map((i) => ofTenant[i % ofTenant.length]);
    const more = { tenant_id, valid_from: daysAgo(x) };
    if (kind === "write") {
      const minutes = y % 9 > 5 ? 3n * BigInt(y % 9) : null;
      const end = minutes !== null && { valid_to: iso(start + minutes * MINUTE) };
      ofTenant.push(await remember(account, fact("Fact"), { ...more, ...end }));
    } else if (kind === "replace") {
      const content = fact("Replaces");
      classifies(content);
      const fresh = await writeFact(account, content, more);
      noteEnded(kind, fresh.auto_supersede.supersessions as Readonly<Record<string, unknown>>[]);
      ofTenant.push(fresh.memory_id);
    } else if (kind === "take back") {
      noteEnded(kind, (await takeBack(account, fact("Taken back"), more)).retractions);
    } else if (kind === "erase") {
      expectOk(await account.rest("DELETE", "/agent/memories", { query: { tenant_id } }));
      for (const id of ofTenant.splice(0)) erased.add(id);
    } else if (ofTenant.length > 0) {
      const answer = await (kind === "restore"
        ? restore(account, restorable[x % restorable.length] ?? one)
        : supersede(
            account,
            one,
            kind === "end" ? { valid_to: daysAgo(y) } : { superseded_by: other },
          ));
      if (answer.status === 200) seen.add(kind);
    }
  }

  return { act, daysAgo, ids, erased, seen };
}
