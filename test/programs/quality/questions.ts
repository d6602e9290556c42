/** A question with the memories offered; `answeredBy` are positions of those that answer it, from 0. */
export interface LabelledQuestion {
  readonly question: string;
  /** Oldest first. */
  readonly memories: readonly string[];
  /** Empty: none answers it. */
  readonly answeredBy: readonly number[];
}

const ALICE = [
  "Alice is allergic to peanuts",
  "Alice works at Siemens as a hardware engineer",
  "Alice has two cats named Miso and Tofu",
  "Alice prefers tea over coffee",
  "Alice's sister lives in Oslo",
  "Alice plays the cello in an amateur orchestra",
];
const USER = [
  "The user lives in Valencia",
  "The user's favorite color is green",
  "The user is training for a triathlon in September",
  "The user's wife is called Ines",
  "The user drives a Volvo",
  "The user does not eat pork",
];
const PROJECT = [
  "Our deploy day is Thursday",
  "The API key for billing rotates monthly",
  "The staging database is Postgres 16",
  "The on-call lead is Maren",
  "The budget for the launch is $45,000",
  "Retro is every other Friday",
];
const MIXED = [
  "Bob moved to Graz in 2024",
  "Bob's dog is called Rex",
  "Carla is Bob's manager",
  "Bob wakes up at 5:30 every day",
  "Carla speaks Dutch and Turkish",
  "Bob's laptop is a ThinkPad X1",
];

export function ask(
  question: string,
  memories: readonly string[],
  answeredBy: readonly number[] = [],
): LabelledQuestion {
  return { question, memories, answeredBy };
}

/** Labelled before the local models were tuned, which may be tuned on it since (see `parts.ts`). */
export const QUESTIONS: readonly LabelledQuestion[] = [
  ask("What is Alice allergic to?", ALICE, [0]),
  ask("Where does Alice work?", ALICE, [1]),
  ask("What is Alice's blood type?", ALICE),
  ask("What is Alice's phone number?", ALICE),
  ask("How many cats does Alice have?", ALICE, [2]),
  ask("What are the names of Alice's cats?", ALICE, [2]),
  ask("When is Alice's birthday?", ALICE),
  ask("Does Alice have a driving licence?", ALICE),
  ask("What instrument does Alice play?", ALICE, [5]),
  ask("Which drink does Alice like better?", ALICE, [3]),
  ask("Who is Alice married to?", ALICE),
  ask("How much does Alice earn?", ALICE),
  ask("Where does Alice's sister live?", ALICE, [4]),
  ask("What is Alice's profession?", ALICE, [1]),
  ask("Where did Alice go on vacation?", ALICE),
  ask("Where does Alice live?", ALICE),
  ask("Where do I live?", USER, [0]),
  ask("What's my favourite colour?", USER, [1]),
  ask("What's my favourite film?", USER),
  ask("How old am I?", USER),
  ask("What car do I drive?", USER, [4]),
  ask("What is the name of my wife?", USER, [3]),
  ask("What is my email address?", USER),
  ask("Which university did I attend?", USER),
  ask("Is there any food I avoid?", USER, [5]),
  ask("What sport event is the user preparing for?", USER, [2]),
  ask("When does the user's passport expire?", USER),
  ask("Do I have any children?", USER),
  ask("In which city does the user live?", USER, [0]),
  ask("Does the user eat pork?", USER, [5]),
  ask("Why did the user leave his job?", USER),
  ask("What is my shoe size?", USER),
  ask("When is our deploy day?", PROJECT, [0]),
  ask("Which day do we deploy?", PROJECT, [0]),
  ask("What is the password of the staging server?", PROJECT),
  ask("How many engineers are on the team?", PROJECT),
  ask("How often does the billing API key rotate?", PROJECT, [1]),
  ask("Which database do we use in staging?", PROJECT, [2]),
  ask("Who designed the logo?", PROJECT),
  ask("What is the production URL?", PROJECT),
  ask("Who is on call?", PROJECT, [3]),
  ask("How much money do we have for the launch?", PROJECT, [4]),
  ask("When was the company founded?", PROJECT),
  ask("Which cloud provider do we use?", PROJECT),
  ask("When is the retro?", PROJECT, [5]),
  ask("Who leads on-call?", PROJECT, [3]),
  ask("What is the launch date?", PROJECT),
  ask("Where is the office?", PROJECT),
  ask("Where did Bob move?", MIXED, [0]),
  ask("What is the name of Bob's dog?", MIXED, [1]),
  ask("What does Bob's wife do?", MIXED),
  ask("What is Carla's favorite book?", MIXED),
  ask("Who is Bob's boss?", MIXED, [2]),
  ask("What time does Bob get up?", MIXED, [3]),
  ask("Does Carla own a car?", MIXED),
  ask("How tall is Bob?", MIXED),
  ask("Which languages does Carla speak?", MIXED, [4]),
  ask("What computer does Bob use?", MIXED, [5]),
  ask("What is Dave's job?", MIXED),
  ask("Where was Carla born?", MIXED),
];
