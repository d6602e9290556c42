import { isCapitalised, type Token } from "./token.ts";

/** Who or what a statement is about. */
export interface Subject {
  /** Stems of its words in alphabetical order; the speaker is "user". */
  readonly key: string;
  readonly isPerson: boolean;
  /** "Alice's favorite color", "the price of tea": a property that has one value at a time. */
  readonly isNamedAttribute: boolean;
  /** The last word, where it belongs to an owner ("Alice's employer"); qualified: "Alice's former employer". */
  readonly property: {
    readonly noun: string;
    readonly ownerKey: string;
    readonly isQualified: boolean;
  } | null;
}

const SPEAKER = new Set("i me my mine user users".split(" "));
const WITHOUT_MEANING = new Set(
  "the a an our we their his her its this that new current of for in".split(" "),
);
const PEOPLE = new Set(
  `mother mom mum father dad sister brother wife husband son daughter aunt uncle cousin grandmother grandfather grandma
  grandpa niece nephew friend boss manager colleague neighbor neighbour boyfriend girlfriend partner spouse roommate child kid`.split(
    /\s+/u,
  ),
);
/** Possessed things that have properties of their own; "Alice's dog is brown" does not define the dog. */
const THINGS = new Set(
  "dog cat car vehicle house team store restaurant company app laptop computer bike apartment garden office".split(
    " ",
  ),
);
const PROPERTIES = new Set(
  `name nickname email mail phone number address age birthday color colour budget deadline price cost rate fee salary target
  goal priority status version region password pin plan owner lead date day time timezone language location size limit quota title role
  job employer company occupation profession manager boss supervisor residence home city hometown capital ceo cto cfo president leader
  codename branch environment provider host port url domain endpoint framework stack database editor theme mode currency unit schedule
  frequency weight height score rank level stage phase venue room theme topic captain coach assistant successor default preference
  season major school university hospital bank carrier insurer landlord dentist doctor husband wife spouse partner interval window threshold
  timeout retention capacity headcount population distance duration length speed temperature headquarters`.split(
    /\s+/u,
  ),
);

export function subjectOf(tokens: readonly Token[]): Subject {
  const words = tokens.filter((token) => !WITHOUT_MEANING.has(token.folded));
  if (words.length === 0)
    return { key: "user", isPerson: true, isNamedAttribute: false, property: null };
  const ofPosition = tokens.findIndex((token, i) => i > 0 && token.folded === "of");
  const headToken = ofPosition > 0 ? tokens[ofPosition - 1] : words.at(-1);
  const head = headToken?.folded ?? "";
  const ownerTokens = words.filter((token) => token.isPossessive || token.folded === "my");
  const isOwned = ownerTokens.length > 0 || ofPosition > 0;
  const isNamedAttribute =
    words.some((token) => /^favou?rite$/u.test(token.folded)) ||
    (PROPERTIES.has(head) && !isNameOf(words)) ||
    (isOwned && !PEOPLE.has(head) && !THINGS.has(head) && !isCapitalised(headToken as Token));
  const isDefinite = tokens.some((token) => token.folded === "the" || token.folded === "our");
  return {
    key: keyOf(words),
    isNamedAttribute: isNamedAttribute && words.length > 0,
    isPerson:
      PEOPLE.has(head) ||
      (words.length <= 3 && !isDefinite && words.every(isCapitalised) && !PROPERTIES.has(head)) ||
      (words.length === 1 && SPEAKER.has(head)) ||
      head === "he" ||
      head === "she",
    property:
      isOwned && words.length >= 2 && ownerTokens.length > 0
        ? {
            noun: head,
            ownerKey: keyOf(ownerTokens),
            isQualified: words.length > ownerTokens.length + 1,
          }
        : null,
  };
}

export function keyOf(tokens: readonly Token[]): string {
  const meaningful = tokens.filter((token) => !WITHOUT_MEANING.has(token.folded));
  const isEmail = meaningful.some((token) => /^e-?mail$/u.test(token.folded));
  const stems = meaningful
    .filter((token) => !(isEmail && token.folded === "address"))
    .map((token) => (SPEAKER.has(token.folded) ? "user" : spelling(token.stem)));
  return [...new Set(stems)].sort().join(" ");
}

/** One spelling for British and American stems. */
function spelling(stem: string): string {
  return stem.replace(/^favourit$/u, "favorit").replace(/^colour$/u, "color");
}

function isNameOf(words: readonly Token[]): boolean {
  return (
    words.length === 1 && words.every(isCapitalised) && !PROPERTIES.has(words[0]?.folded ?? "")
  );
}
