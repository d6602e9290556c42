import { wordsOf } from "@agent-memory/text";
import { LANGUAGES, sourceOf, UNSPACED } from "./languages.ts";
import { withoutElision } from "./words.ts";

const USER = LANGUAGES.filter((language) => !UNSPACED.has(language))
  .map((language) => sourceOf(language, "user"))
  .join("|");
const UNSPACED_USER = [...UNSPACED].map((language) => sourceOf(language, "user")).join("|");
const ARTICLE = "(?:the|der|die|de|le|la|l'|el|o|a|het)";
const OF = "(?:of|von|vom|des|der|de|del|dell'|della|do|da|van)";

const SUBJECT = new RegExp(
  String.raw`^(?:(?:${ARTICLE} ?)?(?:${USER})(?!['\p{L}])|(?:${UNSPACED_USER})(?![の的]))`,
  "u",
);
/** "The user's sister": so far behind the user stands what is theirs. */
const THINGS = [
  String.raw`(?:${USER})'s ((?:\S+ ?){1,3})`,
  String.raw`(\S+) ${OF} ?(?:${ARTICLE} ?)?(?:${USER})(?!['\p{L}])`,
  // By an ending alone.
  String.raw`(\S+) (?:${sourceOf("pl", "user")})`,
  `(?:${UNSPACED_USER})[の的](.+?)(?:は|が|を|に|、|是|在|有|叫|，|$)`,
].map((source) => new RegExp(source, "u"));

/** What a fact says first: whether it is about the user, and whether about something of theirs. */
export interface AboutUser {
  /** Whether the user is its subject, also by their name. */
  readonly isSubject: boolean;
  /** The words for what is the user's: "phone number"; empty: it is about nothing of theirs. */
  readonly things: readonly string[];
  /** Whether of something that belongs to that: "the user's dog's name". */
  readonly isOfMore: boolean;
}

export function aboutUser({ fact, folded, isSpeaker }: ToldFact): AboutUser {
  const [first = ""] = wordsOf(fact);
  const isNamed = isSpeaker(first);
  const named = isNamed ? /^\S+?'s ((?:\S+ ?){1,3})/u.exec(folded) : null;
  const [, thing = ""] = named ?? firstMatch(folded) ?? [];
  return {
    isSubject: SUBJECT.test(folded) || (isNamed && !/^\S+['’]s/u.test(fact)),
    isOfMore: thing.includes("'s "),
    things: (thing.split("'s ").at(-1) ?? "")
      .split(/\s+/u)
      .map((word) => withoutElision(word).replace(/'s?$/u, ""))
      .filter((word) => word !== ""),
  };
}

interface ToldFact {
  readonly fact: string;
  readonly folded: string;
  /** Whether a word is a name of who wrote the message. */
  isSpeaker(name: string): boolean;
}

function firstMatch(folded: string): RegExpExecArray | null {
  for (const pattern of THINGS) {
    const found = pattern.exec(folded);
    if (found !== null) return found;
  }
  return null;
}
