import type { Random } from "./random.ts";

const SUBJECTS = ["Alice", "Bruno", "Carla"];
const CITIES = ["Bern", "Oslo", "Rome", "Lima", "Paris", "Quito", "Cairo", "Delhi", "Vienna"];
const THINGS = ["ladder", "printer", "bicycle", "kettle", "camera", "piano"];

/** A fact of which a newer one about the same subject is another value. */
export function changingFact(random: Random, subject = random.pick(SUBJECTS)): string {
  return `${subject} lives in ${random.pick(CITIES)}`;
}

/** A fact that says nothing about any other. */
export function lastingFact(random: Random, label: string): string {
  return `The ${random.pick(THINGS)} of inventory entry ${label} stands in room ${random.between(1, 900)}`;
}

interface Message {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/** Their first messages tell them apart. Each states the same facts every time. */
export const CONVERSATIONS: readonly (readonly Message[])[] = [
  [{ role: "user", content: "I live in Lisbon." }],
  [{ role: "user", content: "I live in Madrid." }],
  [
    { role: "user", content: "Hi! My name is Dora. I am allergic to peanuts." },
    { role: "assistant", content: "Nice to meet you, Dora!" },
    { role: "user", content: "Thanks! I work at Siemens." },
  ],
  [
    { role: "user", content: "My sister is called Anna." },
    { role: "user", content: "I have a dog and I drive a Volvo." },
    { role: "user", content: "My favourite colour is green." },
    { role: "user", content: "I work at Bosch." },
  ],
  [{ role: "user", content: "Good morning! How are you?" }],
  [{ role: "user", content: "Forget that I live in Lisbon." }],
  [{ role: "user", content: "I no longer live in Madrid." }],
];
