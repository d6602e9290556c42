import { Random } from "../histories/random.ts";
import {
  type LabelCounts,
  measureVerifier,
  simulatedVerifier,
  type VerifierRates,
} from "./measure-verifier.ts";
import { PARTS } from "./parts.ts";

/** How often a simulated verifier is wrong. */
const ERROR_RATES = [0, 0.03, 0.1];
/** Runs with different errors, of which the mean is shown. */
const ROUNDS = 25;
const SEED = 20_261_123;

type Part = "development" | "fresh";

/** Measures one verifier over one part, as often as its errors differ. */
export type MeasureVerifier = (part: Part) => Promise<readonly VerifierRates[]>;

/**
 * A table of Markdown of what verifiers make of the labelled facts: of simulated ones, and
 * of `others` by name.
 */
export async function verifierReport(
  others: Readonly<Record<string, MeasureVerifier>> = {},
): Promise<string> {
  const rows: string[] = [];
  for (const [name, measure] of [...simulated(), ...Object.entries(others)]) {
    for (const part of ["development", "fresh"] as const) {
      rows.push([name, part, ...columnsOf(await measure(part))].join(" | "));
    }
  }
  return [
    "verifier | part | stated, kept | not stated, kept | asked about | rejected (of them stated), by reason",
    "--- | --- | --- | --- | --- | ---",
    ...rows,
  ]
    .map((row) => `| ${row} |`)
    .join("\n");
}

function simulated(): [string, MeasureVerifier][] {
  return ERROR_RATES.map((rate) => {
    const rounds = rate === 0 ? 1 : ROUNDS;
    const name = rate === 0 ? "always right" : `wrong in ${100 * rate} % (mean of ${rounds} runs)`;
    return [
      name,
      async (part) => {
        const random = new Random(SEED);
        const rates: VerifierRates[] = [];
        for (let round = 0; round < rounds; round++) {
          rates.push(await measureVerifier(simulatedVerifier(rate, random), PARTS[part].beliefs));
        }
        return rates;
      },
    ];
  });
}

function columnsOf(rounds: readonly VerifierRates[]): string[] {
  const mean = (of: (rates: VerifierRates) => number) =>
    rounds.reduce((sum, rates) => sum + of(rates), 0) / rounds.length;
  const [stated, unstated] = (["stated", "unstated"] as const).map((label) => ({
    facts: mean((rates) => rates[label].facts),
    kept: mean((rates) => rates[label].kept),
    asked: mean((rates) => rates[label].asked),
    rejectedFor: (reason: RejectionReason) =>
      mean((rates) => rates[label].rejected.get(reason) ?? 0),
  })) as [LabelMeans, LabelMeans];
  const reasons = new Set(
    rounds.flatMap((rates) => [...rates.stated.rejected.keys(), ...rates.unstated.rejected.keys()]),
  );
  const rejected = [...reasons]
    .map((reason) => {
      const ofStated = stated.rejectedFor(reason);
      return { reason, ofStated, all: ofStated + unstated.rejectedFor(reason) };
    })
    .toSorted((a, b) => b.all - a.all);
  const sum = (of: (one: (typeof rejected)[number]) => number) =>
    rejected.reduce((total, one) => total + of(one), 0);
  const inAll = {
    reason: "in all",
    ofStated: sum((one) => one.ofStated),
    all: sum((one) => one.all),
  };
  return [
    share(stated.kept, stated.facts),
    share(unstated.kept, unstated.facts),
    share(stated.asked + unstated.asked, stated.facts + unstated.facts),
    [inAll, ...rejected]
      .map(({ reason, ofStated, all }) => `${reason} ${short(all)} (${short(ofStated)})`)
      .join(", "),
  ];
}

type RejectionReason = Parameters<LabelCounts["rejected"]["get"]>[0];

interface LabelMeans {
  readonly facts: number;
  readonly kept: number;
  readonly asked: number;
  readonly rejectedFor: (reason: RejectionReason) => number;
}

function share(hits: number, trials: number): string {
  return `${((100 * hits) / trials).toFixed(1)} %, ${short(hits)} of ${trials}`;
}

/** With one digit behind the point where it is no whole number. */
function short(count: number): string {
  return String(Math.round(10 * count) / 10);
}
