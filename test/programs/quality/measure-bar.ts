import { candidateBar } from "../../../src/domain/auto-supersession.ts";
import { cosine, type Vector } from "../../../src/domain/embedding.ts";
import type { Embedder } from "../../../src/providers/embedder.ts";
import { CALL } from "../../support/model-call.ts";
import type { Figure } from "./figure.ts";
import { type LabelledSet, PARTS } from "./parts.ts";

/** Two facts, by how alike the embedder finds them, and whether one ends the other. */
interface Compared {
  readonly similarity: number;
  readonly ends: boolean;
}

/** Bars are given to so many parts of 1. */
const STEPS = 100;
const TEXTS_A_CALL = 100;

/**
 * What the bar of candidates lets pass (D23): the one in use, the highest one that loses no
 * pair of the development part of which one fact replaces the other, and the highest that
 * loses nothing that an update of that part ends either.
 */
export async function measureBar(embedder: Embedder, part: LabelledSet): Promise<Figure[]> {
  const ofPairs = lowest(await comparePairs(embedder, PARTS.development));
  const ofUpdates = lowest(await compareUpdates(embedder, PARTS.development));
  const bars = [
    ["in use", candidateBar(embedder.space)],
    ["of the development pairs", ofPairs],
    ["of the development pairs and updates", Math.min(ofPairs, ofUpdates)],
  ] as const;
  const pairs = await comparePairs(embedder, part);
  const updates = await compareUpdates(embedder, part);
  return bars.flatMap(([name, bar]) => {
    const passing = (what: string, compared: readonly Compared[], ends: boolean): Figure => {
      const of = compared.filter((each) => each.ends === ends);
      const hits = of.filter(({ similarity }) => similarity >= bar).length;
      return { name: `${bar.toFixed(2)}, ${name}: ${what}`, hits, trials: of.length };
    };
    return [
      passing("replaced, a candidate", pairs, true),
      passing("not replaced, a candidate", pairs, false),
      passing("ended by an update, a candidate", updates, true),
      passing("not ended by an update, a candidate", updates, false),
    ];
  });
}

/** The highest bar that what ends passes. */
function lowest(compared: readonly Compared[]): number {
  const ending = compared.filter(({ ends }) => ends).map(({ similarity }) => similarity);
  return Math.floor(Math.min(1, ...ending) * STEPS) / STEPS;
}

function comparePairs(embedder: Embedder, { pairs }: LabelledSet): Promise<Compared[]> {
  const open = pairs.filter(({ excludedCategory }) => excludedCategory === null);
  return compare(
    embedder,
    open.map(({ older, newer, supersedes }) => ({ older, newer, ends: supersedes })),
  );
}

function compareUpdates(embedder: Embedder, { updates }: LabelledSet): Promise<Compared[]> {
  return compare(
    embedder,
    updates.flatMap(({ stored, said, ends }) =>
      stored.map((older, i) => ({ older, newer: said, ends: ends.includes(i) })),
    ),
  );
}

async function compare(
  embedder: Embedder,
  facts: readonly { readonly older: string; readonly newer: string; readonly ends: boolean }[],
): Promise<Compared[]> {
  const texts = [...new Set(facts.flatMap(({ older, newer }) => [older, newer]))];
  const vectors = new Map<string, Vector>();
  for (let i = 0; i < texts.length; i += TEXTS_A_CALL) {
    const some = texts.slice(i, i + TEXTS_A_CALL);
    const embedded = await embedder.embed(some, "document", CALL);
    for (const [j, text] of some.entries()) vectors.set(text, embedded[j] ?? []);
  }
  return facts.map(({ older, newer, ends }) => {
    const [a, b] = [vectors.get(older) ?? [], vectors.get(newer) ?? []];
    return { similarity: cosine(a, b), ends };
  });
}
