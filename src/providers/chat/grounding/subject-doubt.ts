import { fold } from "../../../domain/folding.ts";
import { wordsOf } from "../../text/text.ts";
import { type Context, heavier, type Weight, weightOf } from "./claim.ts";
import { hasMarker, UNSPACED } from "./languages.ts";
import type { Meaning } from "./meaning.ts";
import { namesOf, THE_USER } from "./names.ts";
import { peopleIn } from "./people.ts";
import { turnedAround } from "./roles.ts";
import { contentWords, indexWords } from "./words.ts";

const ABOUT_THE_USER =
  /^(?:the user|der nutzer|die nutzerin|der benutzer|die benutzerin|l'utilisateur|l'utilisatrice|el usuario|la usuaria|l'utente|o usuario|a usuaria|o utilizador|a utilizadora|de gebruiker|uzytkownik|uzytkowniczka)(?!'s|['\p{L}])|^(?:用户|ユーザー)(?![の的])/u;
/** So much of a fact names what it is about. */
const SUBJECT_CHARACTERS = 40;

/** Whether the message says it of someone else than the fact. */
export function subject(context: Context): Weight {
  if (isSpeechOfOthers(context) || isOtherSpeakers(context)) return "grave";
  if (FICTION.test(fold(context.passage)) && !FICTION.test(context.folded)) return "grave";
  return heavier(turnedAround(context), otherSubject(context));
}

/** Whether a clause begins with someone else than the fact is about. */
function otherSubject(context: Context): Weight {
  const { folded, fact, language, meanings, clauses, evidence, read, answer: given } = context;
  const { isSameLanguage } = context;
  const factKinds = peopleIn(folded, language).map(({ kind }) => kind);
  const isSpeaker = (name: string) => read.speakerOf(context.messageIndex).has(name);
  const others = namesOf(fact).filter((name) => !isSpeaker(name));
  const [firstWord = ""] = wordsOf(fact);
  const isAboutUser =
    ABOUT_THE_USER.test(folded) || (isSpeaker(firstWord) && !/^\S+['’]s/u.test(fact));
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
        return !has(told.name) && !isSpeaker(told.name) && (isAboutUser || others.length > 0);
      case "someone": {
        const isShared = told.kinds.some((kind) => factKinds.includes(kind));
        if (isAboutUser && isSameVerb && !saysFirst && given === null) return true;
        if (told.kinds.length > 0) return !isShared && (isAboutUser || factKinds.length > 0);
        // "You" in a question is the user.
        if (!isAboutUser || given !== null) return false;
        return factKinds.length + others.length === 0 || isSameVerb;
      }
      case "speaker":
        if (isOtherNamed) return true;
        return (
          first !== undefined &&
          !isAboutUser &&
          !clauses.some(
            ({ folded: said }) =>
              peopleIn(said, evidence.language).length > 0 || MORE_THAN_THE_SPEAKER.test(said),
          )
        );
      default:
        return false;
    }
  });
  // "我女儿" begins with the speaker too, whose daughter it is.
  const isUnclear = !UNSPACED.has(evidence.language) && meanings.every(isOfBoth);
  return weight === "grave" && isUnclear ? "mild" : weight;
}

/** Whether what someone does may be told of those who have to do with them: "my sister's kids", "the guy I date". */
function isOfBoth({ subject, saysFirst }: Meaning): boolean {
  return subject?.who === "someone" && (saysFirst || subject.kinds.length > 1);
}

/** What is told of those whom somebody made up. */
const FICTION =
  /(?<!\p{L})(?:my (?:main )?character|protagonist|hero(?:ine)? of my|in (?:my|the|this) (?:novel|story|book|game|dream|film|movie|play|musical|screenplay|campaign)|(?:a|my) (?:story|poem|novel|song|script) (?:about|where|in which)|writing (?:a|my) (?:story|novel)|(?:book|novel|film|movie|show|series|documentary|article|podcast|song|story) (?:about|on|where|in which)|horoscope|fortune cookie|tarot|role ?play\p{L}*|meine? (?:figur|romanfigur|hauptfigur|charakter)|in (?:meinem|dem) (?:roman|spiel|traum|buch)|mon personnage|dans mon (?:roman|reve|histoire)|mi personaje|en mi (?:novela|historia|cuento|sueno)|il mio personaggio|nel mio (?:romanzo|racconto|sogno)|meu personagem|minha personagem|no meu (?:romance|conto|sonho)|mijn personage|in mijn (?:roman|verhaal|droom)|moj bohater|moja bohaterka|w moj(?:ej|im) (?:powiesci|opowiadaniu|snie))(?!\p{L})|主人公|小説|小说|主角/u;

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
      (hasMarker(folded, evidence.language, "first") || MORE_THAN_THE_SPEAKER.test(folded)),
  );
}

/** The speaker among others, or someone of theirs. */
const MORE_THAN_THE_SPEAKER =
  /(?:^|[^\p{L}])(?:we|us|our|my|wir|uns\p{L}*|mein\p{L}*|nous|nos|notre|mon|ma|mes|on|nosotros|nuestr\p{L}*|mi|mis|noi|nostr\p{L}*|mi[oae]|nosso|nossa|meu|minha|a gente|wij|onze?|mijn|nasz\p{L}*|m[oó]j\p{L}*|he|she|him|her|er|sie|il|elle|ella|lui|lei|ele|ela|hij|zij|ona)(?!\p{L})|私の|我的|我们|彼|他|她/u;
