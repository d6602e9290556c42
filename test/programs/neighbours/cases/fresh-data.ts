import { MAX_QUERY_LIMIT } from "../../../../src/domain/limits.ts";
import { repeat } from "../attacker.ts";
import type { NeighbourCase } from "../neighbour-case.ts";

const SEARCHES_AT_ONCE = 8;
const CITIES = ["Berlin", "Munich", "Vienna", "Oslo", "Rome", "Paris", "Madrid"];

function batch(round: number, facts: number): string {
  const memories = Array.from({ length: facts }, (_, index) => ({
    content: `Person ${round}-${index} moved to ${CITIES[index % CITIES.length]} in ${1990 + (index % 30)}`,
    session_id: `chat-${index % 50}`,
  }));
  return JSON.stringify({ memories });
}

export const FRESH_DATA: readonly NeighbourCase[] = [
  {
    name: "search-fresh-data",
    what: "loads 500 memories at a time and searches them at once, before the database has counted them, eight at a time",
    async arrange(attacker) {
      const rounds = attacker.size({ short: 1, full: 8 });
      const facts = attacker.size({ short: 25, full: 500 });
      const searches = attacker.size({ short: 8, full: 40 });
      const body = JSON.stringify({
        question: "Who moved to Oslo or Rome in 1999, and who to Berlin?",
        limit: MAX_QUERY_LIMIT,
      });
      return async (signal) => {
        for (let round = 0; round < rounds && !signal.aborted; round++) {
          await attacker.send("POST", "/agent/memories:batch", { body: batch(round, facts) });
          await repeat(searches, SEARCHES_AT_ONCE, signal, () =>
            attacker.send("POST", "/agent/search", { body }),
          );
        }
      };
    },
  },
];
