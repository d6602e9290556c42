import { bare, isCapital } from "./words.ts";

const FEMALE = new Set(
  "sister mother mom mum wife girlfriend daughter aunt grandmother grandma niece".split(" "),
);
const MALE = new Set(
  "brother father dad husband boyfriend son uncle grandfather grandpa nephew".split(" "),
);
const PEOPLE = new Set(
  "boss manager partner spouse friend colleague neighbor neighbour roommate flatmate cousin doctor teacher landlord coach baby kid child".split(
    " ",
  ),
);
const ANIMALS = /^(?:dog|cat|puppy|kitten|hamster|rabbit|parrot|horse)$/u;

/** Whom "he", "she" and "it" mean after a clause; null: nobody it could safely be. */
export interface Antecedents {
  readonly he: string | null;
  readonly she: string | null;
  readonly it: string | null;
}

export const NO_ANTECEDENTS: Antecedents = { he: null, she: null, it: null };

/** A relative of the speaker's, with a name where one is given: "for my daughter Mia". */
const RELATIVE = new RegExp(
  `\\b(?:my|our) (?:\\p{L}+ )?(${[...FEMALE, ...MALE].join("|")})(?: (\\p{Lu}\\p{L}+))?(?!'s|\\p{L})`,
  "u",
);

/** What a clause lets later pronouns of the same message mean; its subject, or what the speaker says to have. */
export function antecedentsAfter(clause: string, before: Antecedents): Antecedents {
  const had =
    /^(?:I|i|we|We) (?:\p{L}+ )?(?:have|got|adopted|bought|own) (?:an?|one) (?:\p{L}+ ){0,3}?(\p{L}+)(?= (?:named|called|who|from|in|that|last|next|on|at|yesterday|today|two|for|with|and|a)\b|$|,)/u.exec(
      clause,
    );
  if (had !== null) return antecedentsOf(`My ${had[1]}`, before);
  const relative = RELATIVE.exec(clause);
  if (relative !== null) return antecedentsOf(`My ${relative[1]}`, before, relative[2]);
  const subject =
    /^((?:my|our|the) (?:[\p{L}'-]+ ){0,3}?[\p{L}'-]+|\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?) (?:is|was|has|works|lives|likes|loves|\p{L}+s|\p{L}+ed)\b/iu.exec(
      clause,
    )?.[1];
  if (subject === undefined || /^(?:I|We|It|He|She|They|This|That)\b/u.test(subject)) return before;
  return antecedentsOf(subject.replace(/'s name$/iu, ""), before);
}

function antecedentsOf(noun: string, before: Antecedents, name?: string): Antecedents {
  const head = bare(noun.split(" ").at(-1));
  const subject = name === undefined ? noun : `${noun} ${name}`;
  if (FEMALE.has(head)) return { ...before, she: subject };
  if (MALE.has(head)) return { ...before, he: subject };
  if (ANIMALS.test(head)) return { he: subject, she: subject, it: subject };
  const isName = isCapital(subject) && !/^(?:my|our|the)\b/iu.test(subject);
  if (PEOPLE.has(head) || isName) return { ...before, he: subject, she: subject };
  return { ...before, it: subject };
}

/** The clause with its first pronoun replaced by whom it means; unchanged where that is not known. */
export function withAntecedent(clause: string, { he, she, it }: Antecedents): string {
  const [first = ""] = clause.split(" ");
  const rest = clause.slice(first.length);
  const meant = { he, his: he, she, her: she, it, its: it }[first.toLowerCase()] ?? null;
  if (meant === null) return clause;
  const isPossessive = /^(?:his|her|its)$/iu.test(first);
  return `${meant}${isPossessive ? "'s" : ""}${rest}`;
}
