import type { Random } from "../../storage/contract/random.ts";

const WORDS = 20_000;
const MIN_WORDS = 6;
const MAX_WORDS = 18;
const WORDS_OF_A_QUESTION = 5;
const TURNS_OF_A_CONVERSATION = 20;
/** Of what a conversation is about, beside the words of all. */
const WORDS_OF_A_SUBJECT = 30;
const SYLLABLES = [..."bdfgklmnprstvz"].flatMap((first) => [..."aeiou"].map((v) => first + v));

/** How many memories a tenant has. */
export interface MadeTenant {
  readonly tenantId: string;
  readonly memories: number;
}

export interface MadeText {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly text: string;
}

/** Turns of conversations, in the order in which they come in where all tenants write at once. */
export function* madeTexts(tenants: readonly MadeTenant[], random: Random): Generator<MadeText> {
  const open = tenants.map(({ tenantId, memories }) => ({ tenantId, left: memories, subject: "" }));
  for (let left = sum(open); left > 0; left--) {
    const tenant = drawn(open, random.below(left));
    if (tenant.left % TURNS_OF_A_CONVERSATION === 0 || tenant.subject === "") {
      tenant.subject = words(WORDS_OF_A_SUBJECT, random).join(" ");
    }
    const conversation = Math.ceil(tenant.left / TURNS_OF_A_CONVERSATION);
    tenant.left -= 1;
    yield {
      tenantId: tenant.tenantId,
      sessionId: `${tenant.tenantId}-${conversation}`,
      text: textAbout(tenant.subject.split(" "), random),
    };
  }
}

/** Half of it of words of its subject. */
function textAbout(subject: readonly string[], random: Random): string {
  const count = MIN_WORDS + random.below(MAX_WORDS - MIN_WORDS + 1);
  const own = Array.from({ length: count >> 1 }, () => random.of(subject));
  return [...own, ...words(count - own.length, random)].join(" ");
}

export function madeQuestion(random: Random): string {
  return words(WORDS_OF_A_QUESTION, random).join(" ");
}

/** The Nth most common word comes up in proportion to 1/N, as words do. */
function words(count: number, random: Random): string[] {
  return Array.from({ length: count }, () =>
    spelled(Math.floor(WORDS ** (random.below(1_000_000) / 1_000_000))),
  );
}

function spelled(word: number): string {
  const syllables = [word, word * 7, Math.floor(word / SYLLABLES.length)];
  return syllables.map((n) => SYLLABLES[n % SYLLABLES.length]).join("");
}

/** The tenant whose turn it is: those with much left write more often. */
function drawn<T extends { readonly left: number }>(tenants: readonly T[], draw: number): T {
  let rest = draw;
  const found = tenants.find(({ left }) => {
    rest -= left;
    return rest < 0;
  });
  if (found === undefined) throw new Error("Nothing is left to be written");
  return found;
}

function sum(tenants: readonly { readonly left: number }[]): number {
  return tenants.reduce((total, { left }) => total + left, 0);
}
