import { type Figure, meanOf, recallAt, reciprocalRank, shareOf } from "./figures.ts";
import type { AskedQuestion, PlayedCorpus } from "./play.ts";

/** A search that a context is held against. */
const SEARCHED = 20;
const DEPTHS = [5, 10, 20, 50];

/** What was measured on a corpus, as Markdown. */
export function reportOf(played: PlayedCorpus): string {
  const { name, conversations, turns, shortened, writeSeconds, asked } = played;
  const answerable = asked.filter(({ question }) => isRanked(question));
  const others = asked.filter(({ question }) => !question.isAnswerable);
  const unlabelled = asked.length - answerable.length - others.length;
  const cut = shortened === 0 ? "" : `, ${shortened} of them shortened to what a memory may hold`;
  return [
    `## ${name}`,
    "",
    `${count(conversations, "conversation")}, ${count(turns, "turn")}${cut}, written over HTTP in ${writeSeconds.toFixed(0)} s; ${count(answerable.length, "question")} with evidence, ${others.length} that nothing answers, ${unlabelled} left out whose evidence is not labelled.`,
    "",
    ...recallTable(answerable),
    "",
    ...contextLine(answerable),
    ...answersTable(answerable, others),
    "",
  ].join("\n");
}

/** Of what a search finds, how much a context tells, which has room for so much. */
function contextLine(asked: readonly AskedQuestion[]): string[] {
  const shares = asked.flatMap(({ question, found, told }) => {
    const evidence = question.evidence.filter((id) => found.slice(0, SEARCHED).includes(id));
    return told === null || evidence.length === 0 ? [] : [recallAt(told, evidence, told.length)];
  });
  if (shares.length === 0) return [];
  const share = percent(meanOf(shares));
  return [`A context has ${share} % of the evidence among the first ${SEARCHED}.`, ""];
}

function isRanked({ isAnswerable, evidence }: AskedQuestion["question"]): boolean {
  return isAnswerable && evidence.length > 0;
}

function recallTable(asked: readonly AskedQuestion[]): string[] {
  const row = (type: string, of: readonly AskedQuestion[], by: "found" | "foundByWords") => [
    type,
    String(of.length),
    by === "found" ? "service" : "BM25",
    ...DEPTHS.map((k) =>
      percent(meanOf(of.map((one) => recallAt(one[by], one.question.evidence, k)))),
    ),
    decimal(meanOf(of.map((one) => reciprocalRank(one[by], one.question.evidence)))),
  ];
  const difference = DEPTHS.map((k) =>
    percent(
      meanOf(
        asked.map(
          ({ question, found, foundByWords }) =>
            recallAt(found, question.evidence, k) - recallAt(foundByWords, question.evidence, k),
        ),
      ),
    ),
  );
  return [
    "Evidence recall in %: the share of a question's evidence among the first 5, 10, 20 and 50, its mean over the questions; and the mean reciprocal rank of the first evidence. In brackets the 95 % interval, by bootstrap over the questions.",
    "",
    ...table(
      ["type", "questions", "by", ...DEPTHS.map((k) => `at ${k}`), "MRR"],
      [
        ...byType(asked).flatMap(([type, of]) => [
          row(type, of, "found"),
          row(type, of, "foundByWords"),
        ]),
        ...(asked.length === 0
          ? []
          : [["all", String(asked.length), "service - BM25", ...difference, ""]]),
      ],
    ),
  ];
}

function answersTable(
  answerable: readonly AskedQuestion[],
  others: readonly AskedQuestion[],
): string[] {
  const row = (type: string, of: readonly AskedQuestion[]) => {
    const citations = of.reduce((sum, { cited }) => sum + cited.length, 0);
    const right = of.reduce((sum, one) => sum + evidenceCited(one), 0);
    return [
      type,
      String(of.length),
      percent(shareOf(of.filter((one) => evidenceCited(one) > 0).length, of.length)),
      percent(shareOf(of.filter(({ cited }) => cited.length === 0).length, of.length)),
      of.length === 0 ? "" : (citations / of.length).toFixed(2),
      citations === 0 ? "" : `${((100 * right) / citations).toFixed(1)}`,
    ];
  };
  return [
    "Answers with the default limit: the share in % that cites evidence and that cites nothing, by Wilson's interval of 95 %, how many memories an answer cites, and how many in 100 of those are evidence.",
    "",
    ...table(
      ["type", "questions", "cites evidence", "cites nothing", "cited", "of them evidence"],
      [
        ...byType(answerable).map(([type, of]) => row(type, of)),
        ...byType(others)
          .slice(0, -1)
          .map(([type, of]) => row(`${type} (nothing answers)`, of).with(2, "").with(5, "")),
      ],
    ),
  ];
}

function evidenceCited({ cited, question }: AskedQuestion): number {
  return cited.filter((id) => question.evidence.includes(id)).length;
}

/** Each type by name, then all. */
function byType(asked: readonly AskedQuestion[]): (readonly [string, readonly AskedQuestion[]])[] {
  const types = Map.groupBy(asked, ({ question }) => question.type);
  const sorted = [...types].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return asked.length === 0 ? [] : [...sorted, ["all", asked]];
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)];
}

function percent({ value, low, high }: Figure): string {
  const in100 = (share: number) => (100 * share).toFixed(1);
  return Number.isNaN(value) ? "" : `${in100(value)} [${in100(low)}, ${in100(high)}]`;
}

function decimal({ value, low, high }: Figure): string {
  return `${value.toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}
