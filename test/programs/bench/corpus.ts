import { type Random, randomFrom } from "../../storage/contract/random.ts";

/** One thing that somebody said. */
export interface Turn {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly text: string;
}

export interface Question {
  readonly tenantId: string;
  /** Of one of its conversations, with more turns than a search answers. */
  readonly sessionId: string;
  readonly text: string;
}

export interface Corpus {
  readonly turns: readonly Turn[];
  readonly questions: readonly Question[];
}

/** How much there is of it: as much as in LoCoMo, a public corpus of conversations. */
export const CORPUS_SIZE = { tenants: 10, turns: 5_882, questions: 1_536 };
const TURNS_A_SESSION = 22;

const NAMES =
  "Ada Bram Clara Dario Edith Farid Greta Hana Ivo Jonas Kaya Leon Mara Nils Olga".split(" ");
const PLACES =
  "Lisbon Oslo Zurich Ghent Riga Porto Turin Bergen Leeds Tartu Graz Bilbao Lyon".split(" ");
const WORK = "bakery library orchestra harbour museum clinic brewery nursery school theatre".split(
  " ",
);
const PASTIMES =
  "climbing pottery chess sailing gardening baking cycling astronomy singing knitting".split(" ");
const PETS = "terrier tabby parrot rabbit tortoise pony goldfish hamster".split(" ");
const FOODS = "risotto dumplings paella goulash ramen falafel pierogi moussaka tagine laksa".split(
  " ",
);
const MONTHS = "January March April May July August October November".split(" ");

/** What is said, and how it is asked for, with the same things filled in. */
const SAYINGS: readonly (readonly [said: string, asked: string])[] = [
  [
    "{name} moved to {place} in {month} because the {work} there offered a job with better hours.",
    "Where did {name} move in {month}?",
  ],
  [
    "Last weekend I tried {pastime} with {name}, and we want to do it every {month} from now on.",
    "What did you try with {name}?",
  ],
  [
    "My {pet} was ill in {month}, but the vet in {place} said that it only needed some rest.",
    "When was the {pet} ill?",
  ],
  [
    "For the birthday of {name} we cooked {food} and invited everybody from the {work}.",
    "What was cooked for {name}?",
  ],
  [
    "I have been thinking about leaving the {work} and teaching {pastime} in {place} instead.",
    "What would you teach in {place}?",
  ],
  [
    "{name} and I drove to {place} in {month}, and on the way the car broke down twice.",
    "Who drove to {place} in {month}?",
  ],
  [
    "The doctor told {name} to give up {food} for a while, which has been harder than {pastime}.",
    "What must {name} give up?",
  ],
  [
    "We adopted a {pet} from a family in {place}; {name} calls it the boss of the house.",
    "Which animal came from {place}?",
  ],
  [
    "Did I tell you that {name} won the {pastime} contest in {place} last {month}?",
    "Which contest did {name} win?",
  ],
  [
    "The {work} in {place} closes in {month}, so {name} is looking for something near home.",
    "What closes in {month}?",
  ],
];

/** Conversations of ten pairs of people, and questions about them: the same on every run. */
export function makeCorpus({ tenants, turns, questions } = CORPUS_SIZE): Corpus {
  const random = randomFrom(5_882);
  const made = Array.from({ length: turns }, (_, index) => {
    const tenant = Math.floor((index * tenants) / turns);
    const session = Math.floor(index / TURNS_A_SESSION);
    const [said, asked] = random.of(SAYINGS);
    const things = drawThings(random);
    const asks = `${random.of(NAMES)} from ${random.of(PLACES)} asks`;
    const place = { tenantId: `pair-${tenant}`, sessionId: `pair-${tenant}-${session}` };
    return {
      turn: { ...place, text: `${filled(said, things)} (${index})` },
      question: { ...place, text: `${asks}: ${filled(asked, things)}` },
    };
  });
  const asked = Array.from({ length: questions }, () => random.of(made).question);
  return { turns: made.map(({ turn }) => turn), questions: asked };
}

/** Turns of a tenant that follow each other, at most so many in each. */
export function inBatches(turns: readonly Turn[], most: number): Turn[][] {
  const batches: Turn[][] = [];
  for (const turn of turns) {
    const last = batches.at(-1);
    if (last?.[0]?.tenantId === turn.tenantId && last.length < most) last.push(turn);
    else batches.push([turn]);
  }
  return batches;
}

function drawThings(random: Random): ReadonlyMap<string, string> {
  return new Map([
    ["name", random.of(NAMES)],
    ["place", random.of(PLACES)],
    ["work", random.of(WORK)],
    ["pastime", random.of(PASTIMES)],
    ["pet", random.of(PETS)],
    ["food", random.of(FOODS)],
    ["month", random.of(MONTHS)],
  ]);
}

function filled(template: string, things: ReadonlyMap<string, string>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => things.get(name) ?? "");
}
