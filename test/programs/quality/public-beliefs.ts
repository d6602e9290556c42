import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "../../../src/providers/embedder.ts";
import { openSearcher } from "./measure-relevance.ts";

const BELIEFS = "beliefs.seed.json";
const CASES = "retrieval.cases.json";
const MIN_RELEVANCES = [0, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5];
/** Unless a case says otherwise. */
const MOST_BELIEFS = 20;

/** A belief of PrecisionMemBench, with the fields that a search needs. */
interface Belief {
  readonly _id: string;
  readonly user_id: string;
  readonly canonical_name: string;
  readonly aliases?: readonly string[];
  readonly content: string;
  readonly why_it_matters?: string;
  readonly scope: readonly string[];
  /** It is shown in any case, and is not searched for. */
  readonly pinned?: boolean;
  readonly superseded_by: string | null;
  /** Beliefs that are relevant where this one is. */
  readonly participants?: readonly string[];
}

interface Case {
  readonly query: string;
  readonly userId?: string;
  readonly scope: readonly string[];
  readonly budget?: { readonly maxBeliefs?: number };
  readonly expect: {
    readonly relevantBeliefs?: {
      readonly mustInclude?: readonly string[];
      readonly shouldOnlyInclude?: readonly string[];
    };
  };
}

/** What a search found for a case, best first, and what was expected. */
interface Asked {
  readonly expected: ReadonlySet<string>;
  readonly found: readonly { readonly beliefs: readonly string[]; readonly relevance: number }[];
  readonly room: number;
}

/**
 * Prints, as Markdown, what values of `min_relevance` leave of a public set of beliefs. The folder
 * has the fixtures of PrecisionMemBench. A belief is stored as that benchmark stores it, and
 * counts as it counts there: pinned ones are left out, participants of a relation come with it.
 */
export async function printPublicBeliefs(embedder: Embedder, folder: string): Promise<void> {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), "utf8"));
  const beliefs: readonly Belief[] = read(BELIEFS);
  const cases: readonly Case[] = read(CASES);
  const asked = await askAll(embedder, beliefs, cases);
  const answerable = asked.filter(({ expected }) => expected.size > 0);
  const others = asked.filter(({ expected }) => expected.size === 0);
  console.log(`# PrecisionMemBench, by min_relevance

${embedder.space.provider}/${embedder.space.model}. ${beliefs.length} beliefs, ${cases.length} cases: ${answerable.length} expect beliefs, ${others.length} expect none. Means over the cases. The last column is the benchmark's own precision: over all cases, except those where nothing was expected and nothing found.

| min_relevance | precision where beliefs are expected | recall | nothing found where none is expected | the benchmark's precision |
|---|---|---|---|---|`);
  for (const least of MIN_RELEVANCES) {
    const judged = answerable.map((each) => judge(each, least));
    const empty = others.filter((each) => judge(each, least).found === 0);
    const precisions = judged.map(({ precision }) => precision);
    const wrong = others.length - empty.length;
    const shares = [
      mean(precisions).toFixed(2),
      mean(judged.map(({ recall }) => recall)).toFixed(2),
      `${empty.length} of ${others.length}`,
      ((mean(precisions) * judged.length) / (judged.length + wrong)).toFixed(2),
    ];
    console.log(`| ${[least === 0 ? "none" : least, ...shares].join(" | ")} |`);
  }
}

async function askAll(
  embedder: Embedder,
  beliefs: readonly Belief[],
  cases: readonly Case[],
): Promise<Asked[]> {
  const { searcher, close } = await openSearcher(embedder);
  const byText = new Map(beliefs.map((belief) => [textOf(belief), belief]));
  const byId = new Map(beliefs.map((belief) => [belief._id, belief]));
  for (const userId of new Set(beliefs.map(({ user_id }) => user_id))) {
    // A superseded memory is never found.
    const current = beliefs.filter((each) => each.user_id === userId && !each.superseded_by);
    await searcher.store(userId, current.map(textOf), null);
  }
  const user = beliefs[0]?.user_id ?? "";
  const asked: Asked[] = [];
  for (const { query, userId = user, scope, budget, expect } of cases) {
    const isIn = (belief?: Belief) =>
      belief?.user_id === userId && belief.scope.some((each) => scope.includes(each));
    const isPinned = (belief?: Belief) => belief?.pinned === true && isIn(belief);
    const limit = budget?.maxBeliefs ?? MOST_BELIEFS;
    const { relevantBeliefs: { mustInclude = [], shouldOnlyInclude } = {} } = expect;
    const expected = shouldOnlyInclude ?? mustInclude.filter((id) => !byId.get(id)?.pinned);
    const question = { question: query, answers: [], unrelated: [], tenantId: userId };
    const isAsked = query.trim() !== "" && limit > 0;
    const [judged] = isAsked ? await searcher.judge([question], () => [], limit) : [];
    const found = (judged?.found ?? []).flatMap(({ text, relevance }) => {
      const belief = byText.get(text);
      if (belief === undefined || isPinned(belief)) return [];
      const others = (belief.participants ?? []).filter(
        (id) => isIn(byId.get(id)) && !isPinned(byId.get(id)),
      );
      return [{ beliefs: [belief._id, ...others], relevance }];
    });
    const room = Math.max(0, limit - beliefs.filter(isPinned).length);
    asked.push({ expected: new Set(expected), found, room });
  }
  await close();
  return asked;
}

/** As the benchmark writes a belief for each service that it measures. */
function textOf({ canonical_name, aliases = [], content, why_it_matters }: Belief): string {
  return [canonical_name, ...aliases, content, why_it_matters].filter(Boolean).join(" ");
}

function judge({ expected, found, room }: Asked, least: number) {
  const ids = found.filter(({ relevance }) => relevance >= least).flatMap(({ beliefs }) => beliefs);
  const left = [...new Set(ids)].slice(0, room);
  const right = left.filter((id) => expected.has(id)).length;
  return {
    found: left.length,
    precision: left.length === 0 ? 0 : right / left.length,
    recall: right / expected.size,
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
