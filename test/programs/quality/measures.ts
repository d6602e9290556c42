import type { ChatModel } from "../../../src/providers/chat-model.ts";
import type { ModelCall } from "../../../src/providers/model-call.ts";
import { Random } from "../histories/random.ts";
import type { EverydayChange } from "./everyday.ts";
import { type Figure, type Measured, ratesAsFigures } from "./figure.ts";
import {
  type MeasuredProviders,
  measureAnswers,
  measureExtraction,
  measureReported,
  measureSupersession,
  type Rates,
} from "./measure.ts";
import { measureBar } from "./measure-bar.ts";
import { measureEveryday, type ToldAs, WAYS_TO_TELL } from "./measure-everyday.ts";
import { measureGate } from "./measure-gate.ts";
import { measureRelevance, measureTenants } from "./measure-relevance.ts";
import {
  type LabelledChange,
  measureChanges,
  type SaidAs,
  withService,
} from "./measure-updates.ts";
import { measureVerifier, simulatedVerifier, type VerifierOf } from "./measure-verifier.ts";
import type { LabelledSet } from "./parts.ts";
import type { LabelledQuestion } from "./questions.ts";
import type { LabelledSensitive } from "./sensitive.ts";

/** What is measured. */
export interface Subject {
  readonly models: MeasuredProviders;
  /** Answers the second question about a doubtful fact. null: the local models ask none. */
  readonly chat: ChatModel | null;
  readonly call: ModelCall;
}

export type Measure = (subject: Subject, part: LabelledSet) => Promise<Measured>;

/** By the name that is printed, and that `--only` takes. */
export const MEASURES: Readonly<Record<string, Measure>> = {
  async extraction({ models }, { conversations }) {
    const rates = await measureExtraction(models, conversations);
    return { figures: ratesAsFigures(rates), mistakes: rates.mistakes };
  },
  // What is not the user's own, not English or not to be understood is left out, and told.
  async "mixed messages"({ models }, { mixed }) {
    const [facts, reported] = [
      await measureExtraction(models, mixed),
      await measureReported(models, mixed),
    ];
    const named = (rates: Rates, of: string) =>
      ratesAsFigures(rates).map((figure) => ({ ...figure, name: `${of}, ${figure.name}` }));
    return {
      figures: [...named(facts, "facts"), ...named(reported, "messages not read")],
      mistakes: [...facts.mistakes, ...reported.mistakes],
    };
  },
  // The best that the further question can bring: it is answered rightly.
  "belief, asked again rightly": (_, part) => beliefs(simulatedVerifier(0, new Random(0)), part),
  "belief, asked again": ({ chat, call }, part) =>
    chat === null ? Promise.resolve(NOTHING) : beliefs(() => chat, part, call),
  answers: ({ models }, { questions }) => answers(models, questions),
  "answers, everyday": ({ models }, part) => answers(models, part.everydayQuestions),
  async supersession({ models }, { pairs }) {
    const rates = await measureSupersession(models, pairs);
    const { counts, keptPairs, excludedPairs, excludedSent, mistakes } = rates;
    const figures: Figure[] = [
      ...ratesAsFigures(rates),
      { name: "ended though true", hits: counts.produced - counts.right, trials: keptPairs },
      { name: "excluded, sent", hits: excludedSent, trials: excludedPairs },
    ];
    return { figures, mistakes };
  },
  "category gate": ({ models }, { sensitive }) => gate(models, sensitive),
  "category gate, everyday": ({ models }, part) => gate(models, part.gate),
  async "candidate bar"({ models }, part) {
    return { figures: await measureBar(models.embedder, part), mistakes: [] };
  },
  relevance: ({ models }, part) => measureRelevance(models.embedder, part),
  "relevance, a tenant": ({ models }, { tenants }) => measureTenants(models.embedder, tenants),
  updates: ({ models }, part) => changes(models, part.updates, ["messages", "content"]),
  "everyday changes": ({ models }, { everyday }) => everydayFigures(models, everyday),
  // One value of one attribute, and identity (D23b), by kind.
  "the present": ({ models }, { present }) =>
    presentFigures(models, present, ["facts", "a fact, then said"]),
  "the present, told": ({ models }, { told }) => presentFigures(models, told, WAYS_TO_TELL),
  // What is said in other languages than English: changes, and the gate's half of each language.
  async multilingual({ models }, { multilingual, sensitive: labelled }) {
    const told = await changes(models, multilingual, ["messages"]);
    const others = labelled.filter(({ language }) => language !== "en");
    const { sensitive, sensitiveSent, mistakes } = await measureGate(models.embedder, others);
    return {
      figures: [
        ...told.figures,
        { name: "sensitive, sent", hits: sensitiveSent, trials: sensitive },
      ],
      mistakes: [...told.mistakes, ...mistakes],
    };
  },
  retractions: ({ models }, part) => changes(models, part.retractions, ["messages"]),
};

async function answers(models: MeasuredProviders, questions: readonly LabelledQuestion[]) {
  const rates = await measureAnswers(models, questions);
  return { figures: ratesAsFigures(rates), mistakes: rates.mistakes };
}

async function gate(
  { embedder }: MeasuredProviders,
  labelled: readonly LabelledSensitive[],
): Promise<Measured> {
  const { mistakes, ...rates } = await measureGate(embedder, labelled);
  const figures: Figure[] = [
    { name: "sensitive, sent", hits: rates.sensitiveSent, trials: rates.sensitive },
    { name: "harmless, held back", hits: rates.harmlessHeld, trials: rates.harmless },
  ];
  return { figures, mistakes };
}

async function changes(
  models: MeasuredProviders,
  labelled: readonly LabelledChange[],
  ways: readonly SaidAs[],
): Promise<Measured> {
  return withService(models, async (service) => {
    const measured: Measured[] = [];
    for (const way of ways) {
      const { counts, falseEnds, changes, mistakes } = await measureChanges(service, labelled, way);
      const figures: Figure[] = [
        { name: `${HOW[way]}: ended`, hits: counts.right, trials: counts.expected },
        { name: `${HOW[way]}: ended what is true`, hits: falseEnds, trials: changes },
      ];
      measured.push({ figures, mistakes });
    }
    return {
      figures: measured.flatMap(({ figures }) => figures),
      mistakes: measured.flatMap(({ mistakes }) => mistakes),
    };
  });
}

async function everydayFigures(
  models: MeasuredProviders,
  labelled: readonly EverydayChange[],
  ways = WAYS_TO_TELL,
): Promise<Measured> {
  return withService(models, async (service) => {
    const figures: Figure[] = [];
    const mistakes: string[] = [];
    for (const way of ways) {
      const rates = await measureEveryday(service, labelled, way);
      figures.push(
        { name: `${way}: ended`, hits: rates.ended, trials: rates.changes },
        { name: `${way}: ended what is true`, hits: rates.falseEnds, trials: rates.nearMisses },
      );
      mistakes.push(...rates.mistakes);
    }
    return { figures, mistakes };
  });
}

async function presentFigures(
  models: MeasuredProviders,
  labelled: readonly EverydayChange[],
  ways: readonly ToldAs[],
): Promise<Measured> {
  const figures: Figure[] = [];
  const mistakes: string[] = [];
  for (const kind of ["update", "other words", "near miss", "identifier"]) {
    const ofKind = labelled.filter((each) => each.kind === kind);
    const told = await everydayFigures(models, ofKind, ways);
    const name = /miss|identifier/u.test(kind) ? "ended what is true" : "ended";
    const asNamed = told.figures.filter((figure) => figure.name.endsWith(`: ${name}`));
    figures.push(...asNamed.map((figure) => ({ ...figure, name: `${kind}, ${figure.name}` })));
    mistakes.push(...told.mistakes);
  }
  return { figures, mistakes };
}

const HOW: Readonly<Record<SaidAs, string>> = {
  messages: "said in a conversation",
  content: "stored as it is said",
};

const NOTHING: Measured = { figures: [], mistakes: [] };

async function beliefs(
  verifierOf: VerifierOf,
  part: LabelledSet,
  call?: ModelCall,
): Promise<Measured> {
  const { stated, unstated, mistakes } = await measureVerifier(verifierOf, part.beliefs, call);
  const figures: readonly Figure[] = [
    { name: "stated, kept", hits: stated.kept, trials: stated.facts },
    { name: "not stated, kept", hits: unstated.kept, trials: unstated.facts },
    {
      name: "asked about",
      hits: stated.asked + unstated.asked,
      trials: stated.facts + unstated.facts,
    },
  ];
  return { figures, mistakes };
}
