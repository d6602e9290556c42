import type { Embedder } from "../../../src/providers/embedder.ts";
import { Random } from "../histories/random.ts";
import {
  type Asked,
  BINS,
  FOUND,
  isHigh,
  type Judged,
  openSearcher,
  startsRight,
} from "./measure-relevance.ts";
import { PARTS } from "./parts.ts";
import { readCorpora } from "./recall/read-folder.ts";

const SIZES = [10, 100, 1_000, 10_000, 100_000];
/** A line of a conversation that is shorter is hardly a memory; of a longer one the rest is left out. */
const FILLER_CHARACTERS = { min: 20, max: 600 };

/** A question, and the memories of its own that a tenant has at least. */
interface Case {
  readonly question: string;
  readonly memories: readonly string[];
  readonly answers: readonly string[];
}

const { relevance, questions } = PARTS.fresh;
const CASES: readonly Case[] = [
  ...relevance.map(({ question, memories, answers }) => ({ question, memories, at: answers })),
  ...questions.map(({ question, memories, answeredBy }) => ({
    question,
    memories,
    at: answeredBy,
  })),
].map(({ question, memories, at }) => {
  const answers = at.map((i) => memories[i] ?? "");
  return { question, memories, answers };
});

/**
 * Prints, as Markdown, whether relevance means the same in tenants of all sizes (D12). Questions of
 * the fresh half are asked in tenants that hold their memories and, up to the size, lines of the
 * corpora in `folder`; and again with what answers taken out.
 */
export async function printCalibration(embedder: Embedder, folder: string): Promise<void> {
  const filler = linesOf(folder);
  const bins = BINS.map((to, i) => `said ${BINS[i - 1] ?? 0} to ${Math.min(1, to)}`);
  console.log(`# Calibration of relevance, by size of a tenant

${CASES.length} questions of the fresh half, each asked as it is and with what answers taken out; up to ${FOUND} memories each. Under "said" stands how many of the memories of which that was said answer. ECE: the mean difference between what was said and how many answer, over all memories.

| memories | embedder | an answer comes first | and has 0.5 | nothing answers, something has 0.5 | ${bins.join(" | ")} | ECE |
|---|---|---|---|---|${bins.map(() => "---|").join("")}---|`);
  for (const size of SIZES.filter((each) => each <= filler.length)) {
    console.log(rowOf(embedder, size, await judgeIn(embedder, size, filler)));
  }
}

interface JudgedSize {
  readonly answered: readonly Judged[];
  readonly unanswered: readonly Judged[];
}

async function judgeIn(
  embedder: Embedder,
  size: number,
  filler: readonly string[],
): Promise<JudgedSize> {
  const { searcher, close } = await openSearcher(embedder);
  const answered: Judged[] = [];
  const unanswered: Judged[] = [];
  for (const [i, cases] of tenantsOf(size).entries()) {
    const tenantId = `${size} ${i}`;
    const own = [...new Set(cases.flatMap((each) => ownOf(each, size)))];
    await searcher.store(tenantId, own, null);
    await searcher.fill(tenantId, filler.slice(0, Math.max(0, size - own.length)));
    const asked = cases.map(
      ({ question, answers }): Asked => ({ question, answers, unrelated: [], tenantId }),
    );
    const answerable = asked.filter(({ answers }) => answers.length > 0);
    answered.push(...(await searcher.judge(answerable, () => [], FOUND)));
    unanswered.push(...(await searcher.judge(asked, ({ answers }) => answers, FOUND)));
  }
  await close();
  return { answered, unanswered };
}

/** What answers, and others up to the size. */
function ownOf({ memories, answers }: Case, size: number): readonly string[] {
  return [...answers, ...memories.filter((text) => !answers.includes(text))].slice(0, size);
}

/** Cases whose memories fit into a tenant together. */
function tenantsOf(size: number): Case[][] {
  const tenants: { cases: Case[]; texts: Set<string> }[] = [];
  for (const each of CASES) {
    const own = ownOf(each, size);
    const last = tenants.at(-1);
    const together = new Set([...(last?.texts ?? []), ...own]);
    if (last === undefined || together.size > size) {
      tenants.push({ cases: [each], texts: new Set(own) });
    } else {
      last.cases.push(each);
      last.texts = together;
    }
  }
  return tenants.map(({ cases }) => cases);
}

function rowOf({ space }: Embedder, size: number, { answered, unanswered }: JudgedSize): string {
  const first = answered.filter(startsRight);
  const said = [...answered, ...unanswered].flatMap(({ answers, found }) =>
    found.map(({ text, relevance }) => ({ relevance, isRight: answers.includes(text) })),
  );
  let error = 0;
  const bins = BINS.map((to, i) => {
    const of = said.filter(({ relevance }) => relevance >= (BINS[i - 1] ?? 0) && relevance < to);
    const right = of.filter(({ isRight }) => isRight).length;
    const sum = of.reduce((total, { relevance }) => total + relevance, 0);
    error += Math.abs(sum - right) / said.length;
    return `${right} of ${of.length}`;
  });
  const share = (of: readonly unknown[], all: readonly unknown[]) =>
    `${of.length} of ${all.length}`;
  const isSaid = ({ found: [best] }: Judged) => isHigh(best);
  return `| ${[
    size.toLocaleString("en"),
    `${space.provider}/${space.model}`,
    share(first, answered),
    share(first.filter(isSaid), first),
    share(unanswered.filter(isSaid), unanswered),
    ...bins,
    error.toFixed(3),
  ].join(" | ")} |`;
}

/** Lines of the conversations of public corpora. */
function linesOf(folder: string): readonly string[] {
  const { min, max } = FILLER_CHARACTERS;
  const turns = readCorpora(folder)
    .corpora.flatMap(({ conversations }) => conversations)
    .flatMap(({ sessions }) => sessions)
    .flatMap((session) => session.turns);
  const lines = turns
    .flatMap(({ text }) => text.split("\n"))
    .map((line) => line.replaceAll("\0", "").trim().slice(0, max))
    .filter(({ length }) => length >= min);
  const random = new Random(1);
  return [...new Set(lines)]
    .map((line) => ({ line, place: random.next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ line }) => line)
    .slice(0, SIZES.at(-1));
}
