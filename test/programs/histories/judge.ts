import type { Recording } from "./call.ts";
import { knowledgeOf } from "./knowledge.ts";
import { judgeAvailability } from "./laws/availability.ts";
import { judgeChains } from "./laws/chains.ts";
import { judgeChanges } from "./laws/changes.ts";
import { judgeDeletion } from "./laws/deletion.ts";
import { judgeDurability } from "./laws/durability.ts";
import { judgeIdempotency } from "./laws/idempotency.ts";
import { judgeIsolation } from "./laws/isolation.ts";
import { judgePast } from "./laws/past.ts";
import { judgeQuota, limitsOf } from "./laws/quota.ts";
import { judgeReads } from "./laws/reads.ts";
import type { Rows } from "./rows.ts";
import { Verdicts } from "./verdicts.ts";

/** More than the facts of any history here. */
const AMPLE_WRITES_LIMIT = 5_000;

/** Holds what clients saw, and what is stored in the end, against every law. */
export function judge(recording: Recording, rows: readonly Rows[]): Verdicts {
  const verdicts = new Verdicts();
  const knowledge = rows.map((each, account) => knowledgeOf(recording, account, each));
  for (const known of knowledge) {
    const others = knowledge.filter((other) => other !== known);
    const mayBeCutShort = Math.min(...limitsOf(recording, known.account)) < AMPLE_WRITES_LIMIT;
    judgeDurability(verdicts, known, mayBeCutShort);
    judgeChains(verdicts, known);
    judgePast(verdicts, known);
    judgeQuota(verdicts, known, recording);
    judgeIdempotency(verdicts, known, recording);
    judgeDeletion(verdicts, known);
    judgeIsolation(verdicts, known, others, recording);
    judgeReads(verdicts, known);
    judgeChanges(verdicts, known, recording);
  }
  judgeAvailability(verdicts, recording);
  return verdicts;
}
