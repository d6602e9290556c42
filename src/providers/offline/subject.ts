import { isCapitalised, type Word } from "./grammar.ts";

/** Who or what a statement is about. */
export interface Subject {
  /** Stems of its words in alphabetical order; the speaker is "user". */
  readonly key: string;
  readonly isPerson: boolean;
  /** "Alice's favorite color", "the price of tea": a property that has one value at a time. */
  readonly isNamedAttribute: boolean;
  /** What belongs to an owner ("Alice's employer"); qualified: "Alice's former employer". */
  readonly owned: {
    readonly noun: string;
    readonly ownerKey: string;
    readonly isQualified: boolean;
  } | null;
}

const SPEAKER = /^(?:i|me|my|mine|user|we|our)$/u;
const WITHOUT_MEANING =
  /^(?:the|a|an|his|her|their|its|this|that|new|current|of|for|in|latest|now|currently|anymore)$/u;
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
  frequency weight height score rank level stage phase venue room topic captain coach assistant successor default preference
  season major school university hospital bank carrier insurer landlord dentist doctor husband wife spouse partner interval window threshold
  timeout retention capacity headcount population distance duration length speed temperature headquarters rent lease contact client customer
  vendor supplier sponsor`.split(/\s+/u),
);

export function subjectOf(words: readonly Word[]): Subject {
  const meaningful = words.filter(({ lower }) => !WITHOUT_MEANING.test(lower));
  if (meaningful.length === 0) {
    return { key: "user", isPerson: true, isNamedAttribute: false, owned: null };
  }
  const of = words.findIndex(({ lower }, i) => i > 0 && lower === "of");
  const headWord = of > 0 ? words[of - 1] : meaningful.at(-1);
  const head = headWord?.lower ?? "";
  const owners = meaningful.filter(
    ({ isPossessive, lower }) => isPossessive || /^(?:my|our)$/u.test(lower),
  );
  const isOwned = owners.length > 0 || of > 0;
  const isName = meaningful.length === 1 && meaningful.every(isCapitalised);
  const isDefinite = words.some(({ lower }) => /^(?:the|our)$/u.test(lower));
  return {
    key: keyOf(words),
    isNamedAttribute:
      meaningful.some(({ lower }) => /^favou?rite$/u.test(lower)) ||
      (PROPERTIES.has(head) && !isName) ||
      (isOwned &&
        !PEOPLE.has(head) &&
        !THINGS.has(head) &&
        headWord !== undefined &&
        !isCapitalised(headWord)),
    isPerson:
      PEOPLE.has(head) ||
      (meaningful.length <= 3 &&
        !isDefinite &&
        meaningful.every(isCapitalised) &&
        !PROPERTIES.has(head)) ||
      (meaningful.length === 1 && (SPEAKER.test(head) || /^s?he$/u.test(head))),
    owned:
      owners.length > 0 && meaningful.length >= 2
        ? {
            noun: head,
            ownerKey: keyOf(owners),
            isQualified: meaningful.length > owners.length + 1,
          }
        : null,
  };
}

/** Who or what is meant, whatever the order and the form of the words. */
export function keyOf(words: readonly Word[]): string {
  const meaningful = words.filter(({ lower }) => !WITHOUT_MEANING.test(lower));
  const isEmail = meaningful.some(({ lower }) => /^e-?mail$/u.test(lower));
  const stems = meaningful
    .filter(({ lower }) => !(isEmail && lower === "address"))
    .map(({ lower, stem }) =>
      SPEAKER.test(lower) || lower === "users"
        ? "user"
        : stem.replace(/^favourit$/u, "favorit").replace(/^colour$/u, "color"),
    );
  return [...new Set(stems)].toSorted().join(" ");
}
