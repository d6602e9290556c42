import { fold, wordsOf } from "@agent-memory/text";
import type { Context } from "./claim.ts";
import { hearsay } from "./hearsay.ts";
import { hasMarker, UNSPACED } from "./languages.ts";
import type { Meaning } from "./meaning.ts";
import { namesOf, THE_USER } from "./names.ts";
import { peopleIn } from "./people.ts";
import { possession } from "./possession.ts";
import { turnedAround } from "./roles.ts";
import { heavier, type Weight, weightOf } from "./weight.ts";
import { contentWords, indexWords } from "./words.ts";

/** So much of a fact names what it is about. */
const SUBJECT_CHARACTERS = 40;

/** Whether the message says it of someone else than the fact. */
export function subject(context: Context): Weight {
  if (isSpeechOfOthers(context) || isOtherSpeakers(context)) return "grave";
  if (
    hasMarker(fold(context.passage), "any", "fiction") &&
    !hasMarker(context.folded, "any", "fiction")
  )
    return "grave";
  const whose = possession(context);
  const who = whose === "own" ? null : heavier(whose, otherSubject(context));
  return heavier(heavier(turnedAround(context), who), hearsay(context));
}

/** Whether a clause begins with someone else than the fact is about. */
function otherSubject(context: Context): Weight {
  const { folded, fact, language, meanings, clauses, evidence, read, answer: given } = context;
  const { isSameLanguage, about } = context;
  const factKinds = peopleIn(folded, language).map(({ kind }) => kind);
  const isSpeaker = (name: string) => read.speakerOf(context.messageIndex).has(name);
  const others = namesOf(fact).filter((name) => !isSpeaker(name));
  const [firstWord = ""] = wordsOf(fact);
  const isAboutUser = about.isSubject;
  const isOfUser = isAboutUser || about.things.length > 0;
  const { has } = indexWords(fact);
  // Someone else who is known by name, where the speaker's own is known too.
  const isOtherNamed =
    !isAboutUser &&
    others[0] === firstWord &&
    read.isNamedSpeaker(context.messageIndex) &&
    !clauses.some(({ text }) => indexWords(text).has(firstWord));
  const [first] = peopleIn(folded.slice(0, SUBJECT_CHARACTERS), language);
  const [verb = ""] = contentWords(fact).filter((word) => !THE_USER.has(word));
  const isSameVerb =
    isSameLanguage &&
    clauses.some(({ text }) => indexWords(text).has(verb)) &&
    peopleIn(verb, language).length === 0;
  const weight = weightOf(meanings, ({ subject: told, saysFirst }) => {
    switch (told?.who) {
      case "named":
        return !has(told.name) && !isSpeaker(told.name) && (isOfUser || others.length > 0);
      case "someone": {
        const isShared = told.kinds.some((kind) => factKinds.includes(kind));
        if (isAboutUser && isSameVerb && !saysFirst && given === null) return true;
        if (told.kinds.length > 0) return !isShared && (isOfUser || factKinds.length > 0);
        // "You" in a question is the user.
        if (!isOfUser || given !== null) return false;
        return factKinds.length + others.length === 0 || isSameVerb;
      }
      case "speaker":
        if (isOtherNamed) return true;
        return (
          first !== undefined &&
          !isAboutUser &&
          !clauses.some(
            ({ folded: said }) =>
              peopleIn(said, evidence.language).length > 0 || hasMarker(said, "any", "company"),
          )
        );
      default:
        return false;
    }
  });
  // "我女儿" begins with the speaker too, whose daughter it is.
  const isUnclear = !UNSPACED.has(evidence.language) && meanings.every(isOfBoth);
  // "My landlord raised the rent" tells of the user's rent.
  const isOfTheirs = isOfUser && !isAboutUser && factKinds.length === 0;
  return weight === "grave" && (isUnclear || isOfTheirs) ? "mild" : weight;
}

/** Whether what someone does may be told of those who have to do with them: "my sister's kids", "the guy I date". */
function isOfBoth({ subject, saysFirst }: Meaning): boolean {
  return subject?.who === "someone" && (saysFirst || subject.kinds.length > 1);
}

/** Whether the fact is about another of the users, of whom the message says nothing. */
function isOtherSpeakers({ fact, clauses, read, messageIndex }: Context): boolean {
  const name = (wordsOf(fact)[0] ?? "").replace(/'s?$/u, "");
  const isOther = read.isOtherSpeaker(messageIndex, name);
  return isOther && !clauses.some(({ text }) => indexWords(text).has(name));
}

/** "I" within quotation marks is whoever is quoted. */
function isSpeechOfOthers({ clauses, evidence, answer }: Context): boolean {
  if (answer !== null || clauses.length === 0) return false;
  return clauses.every(
    ({ folded, isQuoted }) =>
      isQuoted &&
      (hasMarker(folded, evidence.language, "first") || hasMarker(folded, "any", "company")),
  );
}
