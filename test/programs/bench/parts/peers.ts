import type { Bench } from "../bench.ts";
import { CORPUS_SIZE, type Corpus, inBatches, makeCorpus, type Question } from "../corpus.ts";
import type { Cell, Findings, Ratio, Table } from "../findings.ts";
import type { Load } from "../load/load.ts";
import { BATCH, RESULTS } from "../load/operations.ts";
import { compare } from "../samples.ts";
import { startServer } from "../servers/serving.ts";
import { type Measured, measureInTurns, of, type Scenario } from "../turns.ts";
import { type Contender, inProcess, startPeers } from "./peer-contenders.ts";
import { SERVICE, startServiceContender } from "./service-contender.ts";

/** What a program waits for. */
const ONE_CLIENT = 1;
const SIZES = {
  full: {
    corpus: CORPUS_SIZE,
    adds: { rounds: 7, milliseconds: 150, warmUpMs: 300 },
    searches: { rounds: 7, milliseconds: 150, warmUpMs: 300 },
    measuredBatches: 16,
  },
  short: {
    corpus: { tenants: 2, turns: 600, questions: 40 },
    adds: { rounds: 1, milliseconds: 100, warmUpMs: 50 },
    searches: { rounds: 1, milliseconds: 100, warmUpMs: 50 },
    measuredBatches: 4,
  },
};
/** So that all fill their tables at the same time. */
const BATCHES_A_ROUND = 4;
/** Of those that are not measured. */
const FILLING_CLIENTS = 4;
const FILTERED_SEARCHES = 100;
const IDENTICAL_ADDS = 5;
const SAID = { tenantId: "pair-0", sessionId: "pair-0-0", text: "Ada said this several times." };

const CANNOT_RUN =
  "Hindsight, Honcho and Graphiti are Python programs or containers, with databases of their own, and cannot run here.";

/** Libraries that do the same, on the same server, with the same texts and the same embedder. */
export async function measurePeers({ extent, load }: Bench): Promise<Findings> {
  const { corpus: size, measuredBatches, ...turns } = SIZES[extent];
  const corpus = makeCorpus(size);
  const embeddings = await startServer("models.ts", null);
  const service = await startServiceContender(embeddings.url, corpus);
  const peers = await startPeers(embeddings.url, corpus);
  const contenders = [service, ...peers];
  const scenarios = (of: "adds" | "searches") => contenders.flatMap((each) => each[of]);

  const adds = await measureInTurns(load, scenarios("adds"), ONE_CLIENT, turns.adds);
  for (const each of contenders) await each.empty();
  const batches = inBatches(corpus.turns, BATCH);
  const fills = await measureInTurns(
    load,
    contenders.map((each) => ({
      ...each.fill(batches.slice(0, measuredBatches)),
      calls: BATCHES_A_ROUND,
    })),
    ONE_CLIENT,
    {
      rounds: measuredBatches / BATCHES_A_ROUND,
      milliseconds: Number.MAX_SAFE_INTEGER,
      warmUpMs: 0,
    },
  );
  const rest = batches.slice(measuredBatches);
  await Promise.all(
    contenders.map((each) => each.inBulk(() => playOnce(load, each.fill(rest), rest.length))),
  );
  const searches = await measureInTurns(load, scenarios("searches"), ONE_CLIENT, turns.searches);

  const turnsABatch = batches.slice(0, measuredBatches).flat().length / measuredBatches;
  const filtered = filteredQuestions(corpus);
  const rows: Cell[][] = [];
  for (const each of contenders) {
    const returned = await rowsUnderFilters(each, filtered);
    const atOnce = await each.addAtOnce(SAID, IDENTICAL_ADDS);
    const inBatchesASecond = of(fills, each.adds[0]?.name ?? "").callsASecond * turnsABatch;
    rows.push(
      ...each.adds.map(({ name }) => {
        const isFirst = name === each.adds[0]?.name;
        const search = of(searches, name);
        return [
          name,
          of(adds, name).callsASecond,
          isFirst ? inBatchesASecond : null,
          search.p50Ms,
          search.p95Ms,
          isFirst ? `${returned} of ${filtered.length * RESULTS}` : null,
          isFirst ? atOnce : null,
        ];
      }),
    );
  }
  for (const each of contenders) await each.close();
  await embeddings.close();
  const table: Table = {
    title: "Peers",
    note:
      `${corpus.turns.length} turns of made-up conversations of 10 tenants and ${corpus.questions.length} questions; ` +
      "one client, one Postgres server, one embedding model over HTTP, 768 dimensions, each as its documentation sets it up; " +
      `${RESULTS} results a search. In batches: of ${BATCH} turns, the first ${measuredBatches} of them. Under filters: rows that ${filtered.length} ` +
      "searches brought in one conversation, which has more than were asked. Identical adds: rows after " +
      `${IDENTICAL_ADDS} at the same time; the service's carried one idempotency key. ${CANNOT_RUN}`,
    columns: [
      "",
      "adds/s",
      "in batches/s",
      "search p50 ms",
      "p95 ms",
      "rows under filters",
      "rows of identical adds",
    ],
    rows,
  };
  return {
    tables: [table],
    ratios: ratiosOf(peers, rows, { adds, searches }),
    plots: [
      {
        kind: "bars",
        name: "peers",
        title: `A search among ${corpus.turns.length.toLocaleString("en")} memories, p50, one client`,
        yLabel: "ms, with an embedding by HTTP; less is better",
        bars: barsOf(rows, 3),
      },
      {
        kind: "bars",
        name: "peers-adds",
        title: "Memories added a second, one after the other, one client",
        yLabel: "a second, with an embedding by HTTP; more is better",
        bars: barsOf(rows, 1),
      },
    ],
  };
}

function barsOf(rows: readonly (readonly Cell[])[], column: number) {
  return rows.map((row) => ({ name: String(row[0]), value: Number(row[column]) }));
}

async function playOnce(load: Load, scenario: Scenario, calls: number): Promise<void> {
  const opened = await (scenario.load ?? load).open(scenario.work);
  const round = { clients: FILLING_CLIENTS, milliseconds: Number.MAX_SAFE_INTEGER, calls };
  const { failures } = await opened.run(round, null);
  if (failures > 0) throw new Error(`${scenario.name} did not take all turns`);
  await opened.close();
}

async function rowsUnderFilters(
  { searchInSession }: Contender,
  questions: readonly Question[],
): Promise<number> {
  let rows = 0;
  for (const question of questions) rows += await searchInSession(question, RESULTS);
  return rows;
}

/** About conversations that have more turns than are asked for. */
function filteredQuestions({ turns, questions }: Corpus): Question[] {
  const inSession = Map.groupBy(turns, ({ sessionId }) => sessionId);
  return questions
    .filter(({ sessionId }) => (inSession.get(sessionId)?.length ?? 0) > RESULTS)
    .slice(0, FILTERED_SEARCHES);
}

function ratiosOf(
  peers: readonly Contender[],
  rows: readonly (readonly Cell[])[],
  { adds, searches }: { readonly adds: Measured; readonly searches: Measured },
): Ratio[] {
  const peerNamed = (start: string) => peers.find(({ name }) => name.startsWith(start))?.name ?? "";
  const mem0 = inProcess(peerNamed("mem0"));
  const langgraph = inProcess(peerNamed("LangGraph"));
  const perSecond = (value: number) => `${value.toFixed(0)}/s`;
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const own = of(adds, SERVICE);
  const mem0Adds = of(adds, mem0);
  const inBatches = Number(rows[0]?.[2]);
  // The faster of its two ways.
  const fastest = peers
    .map(({ name }) => {
      const row = rows.find(([title]) => title === inProcess(name)) ?? [];
      return { name, adds: Math.max(Number(row[1]), Number(row[2])) };
    })
    .toSorted((a, b) => b.adds - a.adds)[0] ?? { name: "", adds: Number.NaN };
  const search = (name: string): Ratio => ({
    what: `Search to that of ${name}, p50, one client`,
    bound: "at most",
    asked: 0.5,
    ...compare(of(searches, SERVICE), of(searches, name), (a, b) => a.p50Ms / b.p50Ms),
    from: `${ms(of(searches, SERVICE).p50Ms)}, ${ms(of(searches, name).p50Ms)}`,
  });
  return [
    {
      what: `Content writes a second over HTTP, one client, to the adds of ${mem0}`,
      bound: "at least",
      asked: 1,
      ...compare(own, mem0Adds, (a, b) => a.callsASecond / b.callsASecond),
      from: `${perSecond(own.callsASecond)}, ${perSecond(mem0Adds.callsASecond)}`,
    },
    {
      what: `Writes in batches to the adds of the fastest peer in its fastest way (${fastest.name})`,
      bound: "at least",
      asked: 1.5,
      measured: inBatches / fastest.adds,
      from: `${perSecond(inBatches)}, ${perSecond(fastest.adds)}`,
    },
    search(mem0),
    search(langgraph),
  ];
}
