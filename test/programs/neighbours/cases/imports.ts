import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { v7 as uuidv7 } from "uuid";
import { SignInService } from "../../../../gen/agentmemory/dashboard/v1/session_service_pb.ts";
import { type Attacker, repeat } from "../attacker.ts";
import type { NeighbourCase } from "../neighbour-case.ts";

const FORMAT = '{"format":"agent-memory","version":1}\n';
const SIGN_IN = `/${SignInService.typeName}/SignIn`;
const AUDITS_AT_ONCE = 16;
const IMPORTS_AT_ONCE = 8;

/** The lines of a memory that was superseded and restored so often, each time for a long reason. */
function longHistory(times: number, reasonCharacters: number) {
  const id = uuidv7();
  const at = `${new Date().toISOString().slice(0, -1)}000Z`;
  const event = (kind: string, detail: object) =>
    `${JSON.stringify({ memory_id: id, events: [{ event: kind, at, actor: id, detail }] })}\n`;
  const reason = "x".repeat(reasonCharacters);
  const end = {
    valid_to: "2030-01-01T00:00:00.000000Z",
    superseded_by: null,
    previous_valid_to: null,
  };
  const pair =
    event("superseded", { ...end, reason }) +
    event("restored", { valid_to: null, superseded_by: null });
  const memory = {
    ...{ id, decision: "I am here", summary: "I am here", topic: "General", importance_score: 5 },
    ...{ source: "agent", metadata: {}, created_at: at, valid_from: at, stated_at: at },
    ...{ tenant_id: null, history: [] },
    provenance: { mode: "content", original_message: "I am here" },
  };
  const events = event("created", {}) + pair.repeat(times);
  return { id, events, memory: `${JSON.stringify(memory)}\n` };
}

export const IMPORTS: readonly NeighbourCase[] = [
  {
    name: "long-audits",
    what: "reads the history of one memory, of 12 MiB, sixteen at once",
    async arrange(attacker) {
      const { id, events, memory } = longHistory(attacker.size({ short: 3, full: 13 }), 900_000);
      const headers = { "content-type": "application/x-ndjson" };
      const body = FORMAT + events + memory;
      const { status } = await attacker.send("POST", "/agent/import", { body, headers });
      if (status !== 200) throw new Error(`the import got ${status}`);
      const count = attacker.size({ short: AUDITS_AT_ONCE, full: 4 * AUDITS_AT_ONCE });
      return (signal) =>
        repeat(count, AUDITS_AT_ONCE, signal, () => attacker.send("GET", `/memories/${id}/audit`));
    },
  },
  {
    name: "unfinished-imports",
    what: "begins eight imports, sends 16 MiB of history for each, and nothing more",
    async arrange(attacker) {
      const { events } = longHistory(attacker.size({ short: 20, full: 140 }), 110_000);
      return async (signal) => {
        const imports = Array.from({ length: IMPORTS_AT_ONCE }, () => begin(attacker, events));
        await sleep(2 ** 30, undefined, { signal }).catch(() => {});
        for (const each of imports) each.destroy();
      };
    },
  },
  {
    name: "sign-in-bodies",
    what: "sends 200 bodies of 516 KiB to the sign-in of the dashboard at once, without a key",
    async arrange(attacker) {
      const members = Array.from({ length: 49_000 }, (_, index) => `"k${index}":1`);
      const body = Buffer.from(`{${members.join(",")}}`);
      const count = attacker.size({ short: 20, full: 200 });
      return (signal) =>
        repeat(count, count, signal, () => attacker.send("POST", SIGN_IN, { body, key: "" }));
    },
  },
];

/** An import whose memory never comes. */
function begin(attacker: Attacker, events: string) {
  const outgoing = request({
    ...attacker.address,
    method: "POST",
    path: "/agent/import",
    headers: {
      authorization: `Bearer ${attacker.key}`,
      "content-type": "application/x-ndjson",
    },
  });
  outgoing
    .on("error", () => attacker.count("cut off"))
    .on("response", (incoming) => {
      attacker.count(`${incoming.statusCode}`);
      incoming.resume();
    })
    .write(FORMAT + events);
  return outgoing;
}
