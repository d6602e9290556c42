import { repeat } from "../attacker.ts";
import type { NeighbourCase } from "../neighbour-case.ts";
import { store, userMessages } from "./texts.ts";

const FACTS_A_WRITE = 500;

export const HISTORIES: readonly NeighbourCase[] = [
  {
    name: "delete-everything",
    what: "deletes the 10,000 memories of its account at once",
    async arrange(attacker) {
      const writes = attacker.size({ short: 1, full: 20 });
      const facts = attacker.size({ short: 100, full: FACTS_A_WRITE });
      for (let write = 0; write < writes; write++) {
        const messages = Array.from(
          { length: facts },
          (_, index) => `I work on project ${write * facts + index}.`,
        );
        const body = { ...JSON.parse(userMessages(messages)), auto_supersede: false };
        await attacker.must("POST", "/agent/memories", body);
      }
      return async () => {
        await attacker.send("DELETE", "/agent/memories");
      };
    },
  },
  {
    name: "repeated-supersessions",
    what: "repeats one supersession, each time with an idempotency key of its own, eight at once",
    async arrange(attacker) {
      const [old, replacement] = await store(attacker, 2, (index) => `I live in city ${index}`);
      const body = JSON.stringify({ superseded_by: replacement });
      const count = attacker.size({ short: 50, full: 2_000 });
      return (signal) =>
        repeat(count, 8, signal, (index) =>
          attacker.send("POST", `/memories/${old}/supersede`, {
            body,
            headers: { "idempotency-key": `repeat-${index}` },
          }),
        );
    },
  },
];
